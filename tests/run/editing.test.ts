import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { loseNextAnswer, openBrowser, PATIENCE_MS, waitForScripts } from '#tests/support/browser.ts'
import { type Product, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite, openSession, queryOnce } from '#tests/support/running-product.ts'

const dir = temporaryFolder('editing')
const DATA_DIR = join(dir, 'data')
const HOST = 'mill.localhost'
const settings = { DATA_DIR, NO_DEMO: '1', LOG_LEVEL: 'warn', WEB_PROCESSES: '2' }
const LOOKS = 24
let product: Product
let token: string

beforeAll(async () => {
  product = await startProduct(settings)
  await createSite({ ...settings, PORT: String(product.port) }, HOST, 'Mill Town')
  token = await openSession(DATA_DIR, HOST, 'Ann')
  await queryOnce(
    DATA_DIR,
    `insert into memberships (site_id, id, user_id, role) select site_id, $1, id, 'site_admin' from users where login = 'Ann'`,
    [createId()],
  )
}, 180_000)
afterAll(async () => {
  await product.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** One request on its own connection, so that the processes alternate. */
function ask(method: string, path: string, document?: unknown): Promise<{ status: number; body: string }> {
  const type = 'application/vnd.api+json'
  const isApi = path.startsWith('/api/')
  return new Promise((resolve, reject) => {
    const asked = request({
      host: '127.0.0.1',
      port: product.port,
      method,
      path,
      agent: false,
      headers: {
        host: `${HOST}:${product.port}`,
        ...(isApi ? { accept: type, 'content-type': type, 'x-api-token': `Bearer ${token}` } : {}),
      },
    })
    asked.on('error', reject)
    asked.on('response', (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(parts).toString() }))
    })
    asked.end(document === undefined ? undefined : JSON.stringify(document))
  })
}

async function create(type: string, attributes: object, relationships: object = {}): Promise<string> {
  const { status, body } = await ask('POST', `/api/v2/${type}`, { data: { type, attributes, relationships } })
  if (status !== 201) throw new Error(`${type} was answered with ${status}: ${body}`)
  return (JSON.parse(body) as { data: { id: string } }).data.id
}
const save = (title: string, parent?: string) =>
  create(
    'homepage-revisions',
    { content: { schema: 2, blocks: [{ id: 'a', type: 'hero', title: { en: title, 'fr-CA': title, cy: title }, text: {} }] } },
    parent ? { parent: { data: { type: 'homepage-revisions', id: parent } } } : {},
  )
const publish = (id: string) => create('homepage-publications', {}, { revision: { data: { type: 'homepage-revisions', id } } })
const looks = () => Promise.all(Array.from({ length: LOOKS }, () => ask('GET', '/')))

let last: string

test('anonymous visitors see what was published, on every process, once each has been notified', async () => {
  // Every process has the old page in its store.
  expect((await looks()).every(({ body }) => body.includes('Mill Town'))).toBe(true)
  for (const title of ['Come and see', 'Come and say']) {
    last = await save(title, last)
    await publish(last)
    const published = performance.now()
    await expect
      .poll(async () => (await looks()).filter(({ body }) => body.includes(title)).length, { timeout: 15_000, interval: 50 })
      .toBe(LOOKS)
    console.log(`published, and seen ${LOOKS} times of ${LOOKS}, after ${Math.round(performance.now() - published)} ms`)
  }
})

test('a server killed while somebody writes keeps every version that it acknowledged', async () => {
  const saved = [last]
  const writing = (async () => {
    for (let number = 0; number < 400; number++) {
      try {
        saved.push(await save(`Wording ${number}`, saved.at(-1)))
      } catch {
        return
      }
    }
  })()
  await expect.poll(() => saved.length, { timeout: 30_000 }).toBeGreaterThan(8)
  product.process.kill('SIGKILL')
  await once(product.process, 'exit')
  await writing
  product = await startProduct(settings)
  const { body } = await ask('GET', '/api/v2/homepage-revisions?page[size]=100&fields[homepage-revisions]=note')
  const kept = (JSON.parse(body) as { data: { id: string }[] }).data.map(({ id }) => id)
  expect(saved.filter((id) => !kept.includes(id))).toEqual([])
  // The editor continues from the last version, or from one that was saved without an acknowledgement.
  const [newest = ''] = kept
  expect(newest >= (saved.at(-1) ?? '')).toBe(true)
  await save('Going on', newest)
}, 240_000)

test('an editor is told when the server dies, and gets everything back but the last second, even if the window is closed before the server returns', async () => {
  const baseURL = `http://${HOST}:${product.port}`
  const context = await (await openBrowser()).newContext({ baseURL, locale: 'en' })
  context.setDefaultTimeout(PATIENCE_MS)
  await context.addCookies([{ name: 'token', value: token, url: baseURL, httpOnly: true, sameSite: 'Lax' }])
  const open = async () => {
    const page = await context.newPage()
    waitForScripts(page)
    await page.goto('/admin/homepage?lng=en')
    return { page, heading: page.getByRole('textbox', { name: 'Heading' }) }
  }
  const before = await open()
  await before.heading.fill('While it lived')
  await before.page.getByText('Draft saved').waitFor()
  product.process.kill('SIGKILL')
  await once(product.process, 'exit')
  await before.heading.fill('After it died')
  await before.page.getByText('We cannot save this right now').waitFor()
  await before.heading.press('End')
  await before.heading.pressSequentially(', and on')
  await before.page.waitForTimeout(1000)
  await before.page.close()

  product = await startProduct({ ...settings, PORT: String(product.port) })
  const after = await open()
  await after.page.getByText(/We could not save what you wrote/).waitFor()
  expect(await after.heading.inputValue()).toBe('After it died, and on')
  await after.page.getByText('Draft saved').waitFor()

  // A save is stored, but the server dies before it can respond: this must not look like somebody else's version.
  await loseNextAnswer(after.page, 'POST')
  await after.heading.fill('Stored unheard')
  await after.page.getByText('We cannot save this right now').waitFor()
  await after.heading.fill('Stored unheard, and more')
  await after.page.getByText('Draft saved').waitFor()
  expect(await after.page.getByText('Someone else saved another version').count()).toBe(0)
  const { body } = await ask('GET', '/api/v2/homepage-revisions?page[size]=2&sort=-createdAt')
  const titles = (JSON.parse(body) as { data: { attributes: { content: { blocks: { title: { en: string } }[] } } }[] }).data
  expect(titles.map(({ attributes }) => attributes.content.blocks[0]?.title.en)).toEqual(['Stored unheard, and more', 'Stored unheard'])
  await context.close()
}, 240_000)
