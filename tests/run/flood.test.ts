import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openConnections, sendRequest } from '#tests/support/send-request.ts'
import { type Product, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite } from '#tests/support/running-product.ts'

const dir = temporaryFolder('flood')
let product: Product

beforeAll(async () => {
  const settings = { DATA_DIR: join(dir, 'data'), NO_DEMO: '1', TRUSTED_PROXIES: '1' }
  product = await startProduct(settings)
  for (const town of ['mill', 'ferry']) await createSite({ ...settings, PORT: String(product.port) }, `${town}.localhost`, `${town} town`)
  for (const town of ['mill', 'ferry']) await read(town, '/')
})
afterAll(async () => {
  await product.stop()
  rmSync(dir, { recursive: true, force: true })
})

const read = (town: string, path: string, from = '192.0.2.1', headers: Record<string, string> = {}) =>
  sendRequest(product.port, path, { host: `${town}.localhost:${product.port}`, 'x-forwarded-for': from, ...headers })

/** How requests for a path have been answered so far, according to the log. */
const sources = (path: string) =>
  product
    .output()
    .split('\n')
    .filter((line) => line.includes(`"path":"${path}"`))
    .map((line) => (JSON.parse(line) as { source: string }).source)

test('parameters that a page does not read get the stored page and do not appear on it', async () => {
  const plain = await read('mill', '/hubs')
  const others = await Promise.all(Array.from({ length: 20 }, (_, at) => read('mill', `/hubs?x=${at}&page=${at}&lng=en&utm_source=${at}`)))
  for (const other of others) {
    expect(other.headers.etag).toBe(plain.headers.etag)
    expect(other.text).toBe(plain.text)
  }
  expect(plain.text).toMatch(/rel="canonical" href="[^"?]*\/hubs"/)
  await expect.poll(() => sources('/hubs')).toHaveLength(21)
  expect(sources('/hubs').filter((source) => source === 'rendered')).toHaveLength(1)
})

test('values that a page does not accept get the page without them', async () => {
  const plain = await read('mill', '/projects')
  const other = await read('mill', '/projects?page=99999&status=nonsense&sort=nonsense')
  expect(other.headers.etag).toBe(plain.headers.etag)
})

test('a client that requests more than can be rendered is told when to retry; others, and stored pages, are served', async () => {
  await read('ferry', '/')
  const salt = Math.random().toString(36).slice(2)
  const state = { over: false }
  const flood = Promise.all(
    Array.from({ length: 150 }, (_, at) => read('mill', `/projects?q=${salt}${at}`, '192.0.2.66', { 'accept-language': 'fr-CA' })),
  ).finally(() => (state.over = true))
  const others: number[] = []
  const over = new Int32Array(new SharedArrayBuffer(4))
  const clock = new Worker(new URL('../support/time-page.ts', import.meta.url), {
    workerData: { over, port: product.port, host: `ferry.localhost:${product.port}`, path: '/' },
  })
  while (!state.over) {
    others.push((await read('ferry', `/projects?q=${others.length}`, '192.0.2.3')).status)
    others.push((await read('mill', `/search?q=${others.length}`, '192.0.2.4')).status)
  }
  const answers = await flood
  Atomics.store(over, 0, 1)
  const [times] = (await once(clock, 'message')) as [number[]]
  console.log(`another site’s stored page, read ${times.length} times, took ${Math.round(Math.max(...times))} ms at most during the flood`)
  expect(times.length).toBeGreaterThan(20)
  // Behind the flood's pages every reading would wait; a pause of the machine makes only one wait.
  expect(times.filter((ms) => ms >= 100).length).toBeLessThanOrEqual(times.length / 20)
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(50)
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
  for (const { headers, text } of refused) {
    expect(headers['retry-after']).toBe('5')
    expect(text).toContain('<title>Le site est très achalandé</title>')
  }
  expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  expect(new Set(others)).toEqual(new Set([200]))
})

test('a client that floods the API gets an error of the API', async () => {
  const headers = { host: `mill.localhost:${product.port}`, 'x-forwarded-for': '192.0.2.66', 'accept-language': 'cy' }
  // One client may have 512 calls waiting. One after the other, these would be answered as fast as they arrive.
  const connections = await openConnections(product.port, 900)
  const answers = await Promise.all(
    // Different pages: an answer that is remembered would cost nothing.
    connections.map((open, index) =>
      sendRequest(product.port, `/api/v2/projects?include=hub&page%5Bnumber%5D=${index + 1}`, headers, 'GET', '', open),
    ),
  )
  const refused = answers.filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(0)
  for (const { headers, text } of refused) {
    expect(headers['retry-after']).toBe('5')
    expect(JSON.parse(text)).toMatchObject({ errors: [{ status: '503', code: 'unavailable' }] })
  }
  expect((await read('mill', '/api/v2/projects', '192.0.2.4')).status).toBe(200)
})
