import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RawAnswer, sendRequest } from '#tests/support/send-request.ts'
import { type ForeignPostgres, startForeignPostgres } from '#tests/support/foreign-postgres.ts'
import { type Product, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite } from '#tests/support/running-product.ts'

const dir = temporaryFolder('outage')
const HOST = 'mill.localhost'
let postgres: ForeignPostgres
let product: Product

beforeAll(async () => {
  postgres = await startForeignPostgres()
  await postgres.run('postgres', 'create database mill')
  const settings = {
    DATABASE_URL: postgres.url('mill'),
    SECRET_KEY: 'a-key-of-the-tests-with-more-than-32-characters',
    DATA_DIR: join(dir, 'data'),
    LOG_LEVEL: 'warn',
  }
  product = await startProduct(settings)
  await createSite({ ...settings, PORT: String(product.port) }, HOST, 'Mill Town')
  await read('/')
})
afterAll(async () => {
  await product.stop()
  await postgres.stop()
  rmSync(dir, { recursive: true, force: true })
})

const read = (path: string, headers: Record<string, string> = {}, method = 'GET', body = '') =>
  sendRequest(product.port, path, { host: `${HOST}:${product.port}`, ...headers }, method, body)

/** Waits until it answers, and has logged the end of the outage whose beginning it logged. */
async function untilBack(): Promise<void> {
  const deadline = Date.now() + 30_000
  while ((await read('/projects?q=bus')).status !== 200) if (Date.now() > deadline) throw new Error('It does not come back')
  const findLast = (words: string) => product.output().lastIndexOf(`"message":"${words}"`)
  const isOver = () => findLast('the database is back') >= findLast('the database cannot be reached')
  await expect.poll(isOver, { timeout: 30_000 }).toBe(true)
}

/** Everything that needs the database: pages, the API, forms, and requests with a session. */
const needing: (() => Promise<RawAnswer>)[] = [
  () => read('/projects?q=bus', { 'accept-language': 'cy' }),
  () => read('/search?q=bus'),
  () => read('/', { cookie: 'token=somebody' }),
  () => read('/api/v2/projects'),
  () => read('/feed.atom', { cookie: 'token=somebody' }),
  () =>
    read(
      '/sign-in',
      { 'content-type': 'application/x-www-form-urlencoded', origin: `http://${HOST}:${product.port}` },
      'POST',
      'email=a@b.example&password=x',
    ),
]

/** Requests all of it several times concurrently. @returns responses other than a 503 with Retry-After, and the longest wait */
async function askForEverything(): Promise<{ others: string[]; longest: number }> {
  let longest = 0
  const answers = await Promise.all(
    Array.from({ length: 30 }, async (_, at) => {
      const from = performance.now()
      const answer = await (needing[at % needing.length] ?? needing[0])!()
      longest = Math.max(longest, performance.now() - from)
      return answer
    }),
  )
  const others = answers.filter(({ status, headers }) => status !== 503 || headers['retry-after'] !== '5')
  return { others: others.map(({ status, text }) => `${status} ${text.slice(0, 300)}`), longest: Math.round(longest) }
}

const connections = async () =>
  (
    (await postgres.run(
      'mill',
      `select count(*)::int as n, count(*) filter (where state like 'idle in transaction%')::int as open
       from pg_stat_activity where usename = 'parley_app_mill'`,
    )) as { n: number; open: number }[]
  )[0]

describe('a database that hangs', () => {
  test('fails what needs it with 503 and Retry-After, still serves stored pages, and recovers without help', async () => {
    postgres.freeze()
    try {
      const everything = askForEverything()
      for (let i = 0; i < 40; i++) expect((await read('/')).status).toBe(200)
      const first = await everything
      expect(first.others).toEqual([])
      const then = await askForEverything()
      expect(then.others).toEqual([])
      console.log(`a hung database: 503 after at most ${first.longest} ms, and once it is known after ${then.longest} ms`)
      // Far less than the client's own timeout, even on a slow machine.
      expect(first.longest).toBeLessThan(15_000)
    } finally {
      postgres.thaw()
    }
    await untilBack()
    await expect.poll(async () => (await connections())?.open, { timeout: 30_000 }).toBe(0)
    expect((await connections())?.n).toBeLessThanOrEqual(24)
  })

  test('a locked table fails only what waits for it, in the same way', async () => {
    const locked = postgres.run('mill', 'begin', 'lock table projects in access exclusive mode', 'select pg_sleep(8)')
    await expect.poll(async () => (await read('/projects?q=bus')).status, { timeout: 30_000, interval: 0 }).toBe(503)
    expect((await read('/')).status).toBe(200)
    await locked
    await untilBack()
  })
})

describe('kept pages while the database is away', () => {
  /** As a moderator or an administrator of another process would change it. */
  const changeContent = () =>
    postgres.run(
      'mill',
      `update sites set content_version = content_version + 1 where slug = 'mill'`,
      `select pg_notify('parley_content', id::text) from sites where slug = 'mill'`,
    )
  const changeStatus = (status: string) => postgres.run('mill', `update sites set status = '${status}' where slug = 'mill'`)

  test.each([
    ['stops', () => postgres.shutDown(), () => postgres.startAgain()],
    ['hangs', async () => postgres.freeze(), async () => postgres.thaw()],
  ])('are served in their last version if it %s just after content changed', async (_, end, begin) => {
    await expect.poll(async () => (await read('/projects')).status).toBe(200)
    const before = (await read('/')).text
    await changeContent()
    await end()
    try {
      const until = Date.now() + 8000
      while (Date.now() < until) {
        const answers = await Promise.all([read('/'), read('/projects')])
        expect(answers.map(({ status }) => status)).toEqual([200, 200])
        expect(answers[0]?.text).toBe(before)
        // What is somebody's own is never answered with a kept page.
        expect((await read('/', { cookie: 'token=somebody' })).status).toBe(503)
      }
    } finally {
      await begin()
    }
    await untilBack()
  })

  test('are not served for a site that was closed a while before, although nobody asked for it since', async () => {
    await expect.poll(async () => (await read('/')).status).toBe(200)
    await changeStatus('suspended')
    await new Promise((done) => setTimeout(done, 12_000))
    await postgres.shutDown()
    try {
      expect((await read('/')).status).toBe(404)
    } finally {
      await postgres.startAgain()
      await expect
        .poll(
          () =>
            changeStatus('active').then(
              () => true,
              () => false,
            ),
          { timeout: 30_000 },
        )
        .toBe(true)
    }
    await untilBack()
  })
})

test('a stopped database is one line in the log with the reason, and another when it is back', async () => {
  const from = product.output().length
  const lines = () =>
    product
      .output()
      .slice(from)
      .split('\n')
      .filter((line) => line.startsWith('{'))
  await postgres.shutDown()
  await expect.poll(lines, { timeout: 30_000 }).not.toEqual([])
  // A proxy goes on sending requests here: what is kept is still served, and the rest is told when to come back.
  await expect
    .poll(() => read('/readyz').then(({ status, text }) => [status, JSON.parse(text)]), { timeout: 30_000 })
    .toEqual([200, { status: 'ready', database: 'unreachable' }])
  await askForEverything()
  // Long enough for the queue's workers to have polled several times.
  await new Promise((done) => setTimeout(done, 6000))
  expect(lines().join('\n')).not.toContain('[object Object]')
  expect(lines().slice(1)).toEqual([])
  expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ level: 'error', message: 'the database cannot be reached' })
  expect(lines()[0]).toMatch(/ECONNREFUSED|terminat/)
  await postgres.startAgain()
  await expect.poll(() => lines().at(-1), { timeout: 30_000 }).toContain('the database is back')
  expect(JSON.parse(lines().at(-1) ?? '')).toMatchObject({ seconds: expect.any(Number), leftOut: expect.any(Number) })
  expect(lines().slice(2)).toEqual([])
  await untilBack()
})
