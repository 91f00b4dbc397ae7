import { readFileSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { freePort, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite } from '#tests/support/running-product.ts'

const dir = temporaryFolder('memory')
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const HOST = 'full.localhost'
const SEARCHES = 1200
const CLIENTS = 24
/** More than the product needs when it starts, and less than so many searches take if nothing holds them back. */
const LIMIT_MB = 260

/** In megabytes of a million bytes. */
const readPeak = (pid: number | undefined): number =>
  (Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1_000_000

test.skipIf(process.platform !== 'linux')('a flood of searches, no two alike, keeps a process below its memory limit', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const settings = {
    DATA_DIR: join(dir, 'data'),
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    MEMORY_MB: String(LIMIT_MB),
    NO_DEMO: '1',
    LOG_LEVEL: 'warn',
  }
  const product = await startProduct(settings)
  onTestFinished(async () => void (await product.stop()))
  await createSite(settings, HOST, 'Full Town')
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS + 2 })
  onTestFinished(() => agent.destroy())
  const read = (path: string) =>
    new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
      const headers = { host: `${HOST}:${port}`, 'accept-encoding': 'br' }
      get({ port, path, agent, headers }, (answer) => {
        answer.resume()
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }))
      }).once('error', reject)
    })
  await expect.poll(async () => (await read('/')).status).toBe(200)

  const others: unknown[] = []
  const words = Array.from({ length: SEARCHES }, (_, number) => `word${number}`)
  let [found, refused] = [0, 0]
  const search = async () => {
    for (let word = words.pop(); word; word = words.pop()) {
      const answer = await read(`/search?q=${word}`)
      if (answer.status === 200) found += 1
      else if (answer.status === 503 && answer.retryAfter) refused += 1
      else others.push(answer)
    }
  }
  const readKept = async () => {
    while (words.length > 0) {
      for (const path of ['/', '/healthz']) {
        const answer = await read(path)
        if (answer.status !== 200) others.push([path, answer])
      }
      await new Promise((done) => setTimeout(done, 200))
    }
  }
  await Promise.all([...Array.from({ length: CLIENTS }, search), readKept()])
  console.log(`${found} searches answered, ${refused} refused, at most ${Math.round(readPeak(product.process.pid))} MB`)
  expect(others).toEqual([])
  expect(found).toBeGreaterThan(0)
  expect(readPeak(product.process.pid)).toBeLessThan(LIMIT_MB)
  await expect.poll(async () => (await read('/search?q=afterwards')).status, { timeout: 30_000 }).toBe(200)

  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const sum = (name: string, labels = '') =>
    [...metrics.matchAll(new RegExp(`^${name}\\{[^}]*${labels}[^}]*\\} (\\S+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    )
  expect(sum('parley_memory_bytes')).toBeGreaterThan(0)
  expect(sum('parley_memory_bytes')).toBe(sum('parley_memory_budget_bytes', 'state="used"'))
  expect(sum('parley_memory_budget_bytes', 'state="used"')).toBeLessThanOrEqual(sum('parley_memory_budget_bytes', 'state="most"'))
  expect(sum('parley_memory_refusing')).toBe(0)
})
