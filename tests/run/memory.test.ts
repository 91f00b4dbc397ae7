import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { PICTURE_WIDTHS } from '#app/lib/picture-address.ts'
import { createId } from '#app/lib/uuid.ts'
import { addAccount } from '#tests/support/accounts.ts'
import { addSite } from '#tests/support/database.ts'
import { createOwnDatabase } from '#tests/support/own-product.ts'
import { freePort, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite } from '#tests/support/running-product.ts'
import { sendRequest } from '#tests/support/send-request.ts'

const dir = temporaryFolder('memory')
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const HOST = 'full.localhost'
const SEARCHES = 1200
const CLIENTS = 24
/** More than the product needs when it starts, and less than so many searches take if nothing holds them back. */
const LIMIT_MB = 260

/** In megabytes of a million bytes. */
const readMemory = (pid: number | undefined, which: 'VmHWM' | 'VmRSS'): number =>
  (Number(new RegExp(`${which}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1_000_000

test.skipIf(process.platform !== 'linux')('a flood of searches, no two alike, keeps a process below its memory limit', async () => {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const settings = {
    DATA_DIR: join(dir, createId()),
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
  console.log(`${found} searches answered, ${refused} refused, at most ${Math.round(readMemory(product.process.pid, 'VmHWM'))} MB`)
  expect(others).toEqual([])
  expect(found).toBeGreaterThan(0)
  expect(readMemory(product.process.pid, 'VmHWM')).toBeLessThan(LIMIT_MB)
  await expect.poll(async () => (await read('/search?q=afterwards')).status, { timeout: 30_000 }).toBe(200)

  const readMetric = async (name: string, labels = '') => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return [...metrics.matchAll(new RegExp(`^${name}\\{[^}]*${labels}[^}]*\\} (\\S+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    )
  }
  // While it refuses work it takes one piece at a time, which is not enough: it takes all again.
  await expect.poll(async () => (await read('/search?q=afterwards'), readMetric('parley_memory_refusing')), { timeout: 30_000 }).toBe(0)
  const used = await readMetric('parley_memory_bytes')
  expect(used).toBeGreaterThan(0)
  expect(used).toBe(await readMetric('parley_memory_budget_bytes', 'state="used"'))
  expect(used).toBeLessThanOrEqual(await readMetric('parley_memory_budget_bytes', 'state="most"'))
})

const JSON_API = 'application/vnd.api+json'
/** Most that stays of drawing: 90 MB are expected, and more than 200 stay if the C library or the drawing library keep what was freed. */
const STAYS_MB = 125
const db = await createOwnDatabase()
const gallery = await db.start()

test.skipIf(process.platform !== 'linux')('what drawing pictures took is given back', async () => {
  const site = await addSite(db.runtime, { slug: `gallery-${createId().slice(-8)}` })
  const { token } = await addAccount(db.runtime, site, { role: 'site_admin' })
  const { port, process } = gallery.product
  const send = async (path: string, method: string, body: Buffer | object, more: Record<string, string> = {}) => {
    const headers = { host: site.host, accept: JSON_API, 'content-type': JSON_API, 'x-api-token': `Bearer ${token}`, ...more }
    const answer = await sendRequest(port, path, headers, method, Buffer.isBuffer(body) ? body : JSON.stringify({ data: body }))
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.text && (JSON.parse(answer.text) as { data: { id: string } }).data.id
  }
  const photo = await sharp(randomBytes(2400 * 1800 * 3), { raw: { width: 2400, height: 1800, channels: 3 } })
    .jpeg({ quality: 20 })
    .toBuffer()
  await sendRequest(port, '/', { host: site.host })
  const before = readMemory(process.pid, 'VmRSS')
  const upload = await send('/api/v2/media-uploads', 'POST', {
    type: 'media-uploads',
    attributes: { name: 'noise.jpg', bytes: photo.length },
  })
  for (let sent = 0; sent < photo.length; sent += 1_000_000) {
    const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(sent), origin: `http://${site.host}` }
    await send(`/media/uploads/${upload}`, 'PATCH', photo.subarray(sent, sent + 1_000_000), type)
  }
  const picture = await send('/api/v2/media-assets', 'POST', { type: 'media-assets', attributes: { upload } })
  await Promise.all(
    PICTURE_WIDTHS.filter((width) => width < 2400).flatMap((width) =>
      ['image/avif', 'image/webp', 'image/jpeg'].map(async (accept) => {
        const drawn = await sendRequest(port, `/media/${picture}/1/${width}`, { host: site.host, accept })
        expect([width, accept, drawn.status]).toEqual([width, accept, 200])
      }),
    ),
  )
  console.log(`drawing took ${Math.round(readMemory(process.pid, 'VmHWM') - before)} MB`)
  await expect.poll(() => readMemory(process.pid, 'VmRSS') - before, { timeout: 20_000, interval: 500 }).toBeLessThan(STAYS_MB)
})
