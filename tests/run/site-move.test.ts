import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v7 } from 'uuid'
import { startWriters } from '#tests/faults/writers.ts'
import { type Product, runParley, type Settings, startProduct, temporaryFolder } from '#tests/support/product.ts'
import {
  createResponseDocument,
  getOwnerUrl,
  loadResponseIds,
  makeSurvey,
  SENDING_HEADERS,
  signInForToken,
} from '#tests/support/remote-api.ts'

/** A site moves from one running installation to another, while people answer its survey. */
const dir = temporaryFolder('site-move')
const settings = (name: string): Settings => ({ DATA_DIR: join(dir, name), LOG_LEVEL: 'warn', TRUSTED_PROXIES: '1' })
const HOST = 'riverbend.localhost'
const file = join(dir, 'riverbend.site')
const key = ['--key-file', join(dir, 'riverbend.key')]
let before: Product
let after: Product

beforeAll(async () => {
  before = await startProduct(settings('before'))
  after = await startProduct({ ...settings('after'), NO_DEMO: '1' })
}, 240_000)
afterAll(async () => {
  await Promise.all([before.stop(), after.stop()])
  rmSync(dir, { recursive: true, force: true })
})

async function parley(at: string, ...words: string[]): Promise<string> {
  const running = runParley(['site', ...words], settings(at))
  expect(await running.ended, running.output()).toBe(0)
  return running.output()
}

interface Answer {
  status: number
  location: string | undefined
  retryAfter: string | undefined
  body: string
}

/** What the site answers; the resolver need not know its name. */
function ask(product: Product, path: string, method = 'GET', document?: object, cookie = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: `${HOST}:${product.port}`,
      'accept-language': 'fr-CA',
      ...(document ? SENDING_HEADERS : {}),
      ...(cookie ? { cookie } : {}),
    }
    const asked = request({ host: '127.0.0.1', port: product.port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          location: answer.headers.location,
          retryAfter: answer.headers['retry-after'],
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    asked.once('error', reject).end(document && JSON.stringify(document))
  })
}

test('it moves with everything that was acknowledged, is readable all the while, and sends people on', async () => {
  const surveyId = await makeSurvey(before, await signInForToken(before, 'site.admin@riverbend.example'))
  const kept = v7()
  const sent = await ask(before, '/api/v2/responses', 'POST', createResponseDocument(surveyId, kept))
  expect(sent.status, sent.body).toBe(201)
  const { receiptCode } = (JSON.parse(sent.body) as { data: { attributes: { receiptCode: string } } }).data.attributes
  const writers = startWriters(before.origin, surveyId, join(dir, 'acknowledged'), 3)
  const pages: number[] = []
  const ending = new AbortController()
  const reading = (async () => {
    while (!ending.signal.aborted) {
      pages.push((await ask(before, '/projects/fern-street')).status)
      await wait(100)
    }
  })()
  await wait(1000)
  const said = await parley('before', 'export', 'riverbend', file, ...key, '--with-installation-key')
  expect(said).toMatch(/holds Riverbend: \d{5,} rows and \d+ files?/)
  console.log(/has taken no writes for \d+ s/.exec(said)?.[0], `${statSync(file).size} bytes`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await wait(500)
  await writers.stop()
  ending.abort()
  await reading
  expect(new Set(pages)).toEqual(new Set([200]))
  expect(Object.keys(writers.statuses).toSorted()).toEqual(['201', '503'])
  expect(writers.refusals.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true)
  const form = await ask(before, '/fr-CA/receipt', 'POST')
  expect(form).toMatchObject({ status: 503, retryAfter: '5' })
  expect(form.body).toContain('Ce site déménage')

  expect(await parley('after', 'import', file, ...key)).toMatch(/All \d+ entries of its audit trail are intact/)
  const stored = await loadResponseIds(getOwnerUrl(join(dir, 'after')), surveyId)
  expect(stored.toSorted()).toEqual([kept, ...writers.acknowledged()].toSorted())
  expect(await parley('after', 'import', file, ...key)).toContain('Nothing was changed')

  expect(await parley('before', 'moved', HOST, '--to', `http://${HOST}:${after.port}`)).toContain('is sent on')
  await wait(2500)
  const to = `http://${HOST}:${after.port}`
  expect(await ask(before, '/projects/fern-street?tab=texts')).toMatchObject({
    status: 308,
    location: `${to}/projects/fern-street?tab=texts`,
  })
  expect(await ask(before, '/api/v2/responses', 'POST', {})).toMatchObject({ status: 308, location: `${to}/api/v2/responses` })

  const page = await ask(after, '/projects/fern-street')
  expect(page.status).toBe(200)
  expect(page.body).toContain('Fern Street')
  const opened = await ask(after, '/receipt', 'GET', undefined, `receipt=${receiptCode}`)
  expect(opened.body).toContain('12 questions')
  expect((await ask(after, '/receipt')).body).not.toContain('12 questions')
}, 180_000)
