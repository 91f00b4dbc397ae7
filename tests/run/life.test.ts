import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readClusterHome } from '#app/server/db/cluster-home.ts'
import { openConnections, sendRequest } from '#tests/support/send-request.ts'
import { countSockets } from '#tests/support/process-tree.ts'
import { cleanEnvironment, freePort, type Product, ROOT, runParley, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { createSite, connectAsOwner, queryOnce } from '#tests/support/running-product.ts'

const dir = temporaryFolder('life')
afterAll(() => rmSync(dir, { recursive: true, force: true }))
/** Shared by all tests, since creating a cluster takes longest; each test leaves it stopped. */
const DATA_DIR = join(dir, 'data')
const plain = { DATA_DIR, NO_DEMO: '1', LOG_LEVEL: 'warn' }

const serverLog = () => readFileSync(join(DATA_DIR, 'postgres.log'), 'utf8')
const postmaster = () => Number(readFileSync(join(readClusterHome(DATA_DIR), 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
const status = async (product: Product, path = '/') => (await fetch(`${product.origin}${path}`, { redirect: 'manual' })).status

/** True if it is running: without an init process to reap orphans, a dead one stays as a zombie. */
const works = (pid: number) => /^[^Z]/.test(spawnSync('ps', ['-p', String(pid), '-o', 'stat='], { encoding: 'utf8' }).stdout.trim())

/** Longer than any request waits while somebody is working on it. */
const HANGING_MS = 20_000

const webProcesses = (product: Product) =>
  spawnSync('pgrep', ['-P', String(product.process.pid), '-f', 'web-process.ts'], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')

/** The one that serves for sure; process numbers do not tell, since they begin again. */
const findOldestWebProcess = (product: Product) =>
  Number(spawnSync('pgrep', ['-o', '-P', String(product.process.pid), '-f', 'web-process.ts'], { encoding: 'utf8' }).stdout)

/** Makes the server confirm that it has read the head of a request. */
const TELL_WHEN_READ = { expect: '100-continue' }

const isAnswering = (port: number) =>
  fetch(`http://localhost:${port}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** Makes every page request wait until it is released. */
async function holdDirectory(): Promise<{ release: () => Promise<void> }> {
  const client = await connectAsOwner(DATA_DIR)
  await client.query('begin; lock table site_domains in access exclusive mode')
  return { release: () => client.end() }
}

describe('stopping', () => {
  test('SIGTERM finishes the request in progress, stops the database cleanly and exits with 0; the next start recovers nothing', async () => {
    const product = await startProduct(plain)
    const { release } = await holdDirectory()
    const [socket] = (await openConnections(product.port, 1)) as [Socket]
    const slow = sendRequest(
      product.port,
      '/',
      { host: `localhost:${product.port}`, 'accept-language': 'en', ...TELL_WHEN_READ },
      'GET',
      '',
      socket,
    )
    await once(socket, 'data')
    const begunToStop = performance.now()
    const ended = product.stop()
    await expect.poll(() => isAnswering(product.port)).toBe(false)
    await release()
    const answer = await slow
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('There is no consultation site at this address')
    expect(await ended).toBe(0)
    expect(performance.now() - begunToStop, 'as soon as it is answered').toBeLessThan(8000)
    expect(serverLog()).toContain('database system is shut down')
    expect(product.output(), 'a stop that somebody asked for is no fault').not.toMatch(/"level":"(warn|error)"/)

    const begun = performance.now()
    const again = await startProduct(plain)
    console.log(`second start: ${Math.round(performance.now() - begun)} ms until it answers`)
    expect(serverLog()).not.toMatch(/not properly shut down|automatic recovery/)
    expect(await again.stop()).toBe(0)
  })

  test('a request that never ends is dropped after ten seconds', async () => {
    const product = await startProduct(plain)
    await createSite({ ...plain, PORT: String(product.port) }, 'slow.localhost', 'Slow Town')
    // A body of which only the beginning arrives.
    const endless = connect(product.port, '127.0.0.1')
    endless.on('error', () => {})
    await once(endless, 'connect')
    endless.write(
      'POST /api/v2/sessions HTTP/1.1\r\nHost: slow.localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\nExpect: 100-continue\r\n\r\n{',
    )
    const letGo = once(endless, 'close')
    await once(endless, 'data')
    const begun = performance.now()
    expect(await product.stop()).toBe(0)
    expect(performance.now() - begun).toBeGreaterThan(9000)
    await letGo
  })

  test('SIGTERM takes it out of service first, while it still answers what a proxy sends it', async () => {
    const product = await startProduct({ ...plain, DRAIN_SECONDS: '3' })
    const asked = performance.now()
    const ended = product.stop()
    await expect.poll(() => status(product, '/readyz')).toBe(503)
    while (performance.now() - asked < 2000) {
      expect(await status(product, '/healthz')).toBe(200)
      await wait(100)
    }
    expect(await ended).toBe(0)
    expect(performance.now() - asked).toBeGreaterThan(3000)
  })

  test('SIGTERM to `npm start` stops the product that it started', async () => {
    const port = await freePort()
    const npm = spawn('npm', ['start'], { cwd: ROOT, env: { ...cleanEnvironment(), ...plain, PORT: String(port) }, stdio: 'ignore' })
    const alive = () => isAnswering(port)
    await expect.poll(alive, { timeout: 40_000 }).toBe(true)
    const { pid } = JSON.parse(readFileSync(join(DATA_DIR, 'parley.holder.json'), 'utf8')) as { pid: number }
    npm.kill('SIGTERM')
    await expect.poll(alive, { timeout: 15_000 }).toBe(false)
    await expect.poll(() => serverLog().trim().split('\n').at(-1), { timeout: 15_000 }).toContain('database system is shut down')
    // The database is down a moment before its owner, which npm does not wait for, leaves the data directory.
    await expect.poll(() => works(pid), { timeout: 15_000 }).toBe(false)
  })

  test('Ctrl-C in a terminal, which signals the whole process group, is just as clean', async () => {
    const product = await startProduct({ ...plain, WEB_PROCESSES: '2' }, { detached: true })
    process.kill(-(product.process.pid ?? 0), 'SIGINT')
    expect(await product.ended).toBe(0)
    expect(product.output()).toContain('Stopping…')
    expect(product.output()).not.toMatch(/"level":"(warn|error)"/)
    expect(serverLog()).toContain('database system is shut down')
  })

  test('so is a stop while its web processes start', async () => {
    const starting = runParley(['start'], { ...plain, WEB_PROCESSES: '2', PORT: String(await freePort()) })
    const { pid = 0 } = starting.process
    await expect.poll(() => spawnSync('pgrep', ['-P', String(pid), '-f', 'web-process.ts']).status, { interval: 20 }).toBe(0)
    starting.process.kill('SIGTERM')
    expect(await starting.ended).toBe(0)
    expect(starting.complaint()).toBe('')
    expect(serverLog()).toContain('database system is shut down')
  })
})

describe('dying', () => {
  test('after kill -9 the next start stops the database left running, and nothing written is lost', async () => {
    const product = await startProduct(plain)
    await queryOnce(DATA_DIR, `create table proof as select 42 as answer`)
    const orphan = postmaster()
    product.process.kill('SIGKILL')
    await product.ended
    expect(works(orphan)).toBe(true)
    const again = await startProduct(plain)
    expect(again.output()).toContain('Stopping the database that an earlier process, killed, left running.')
    expect(works(orphan)).toBe(false)
    expect((await queryOnce(DATA_DIR, 'select answer from proof')).rows).toEqual([{ answer: 42 }])
    expect(await again.stop()).toBe(0)
  })

  test('while the database is down, pages and the API respond with 503 and Retry-After; then they recover', async () => {
    const settings = { ...plain, WEB_PROCESSES: '2' }
    const product = await startProduct(settings)
    onTestFinished(async () => void (await product.stop()))
    await createSite({ ...settings, PORT: String(product.port) }, 'down.localhost', 'Down Town')
    const ask = (path: string) => sendRequest(product.port, path, { host: 'down.localhost', 'accept-language': 'en' })
    expect([(await ask('/projects?q=bus')).status, (await ask('/api/v2/projects')).status]).toEqual([200, 200])
    // The process that would start it again waits; the web processes respond.
    product.process.kill('SIGSTOP')
    try {
      spawnSync('kill', ['-9', String(postmaster())])
      // Each time something not asked before, since what is remembered for everybody is answered. The connections of the two web processes
      // do not end in the same moment.
      let [count, page, api] = [0, '', '']
      const askBoth = async () => {
        count += 1
        const answers = [await ask(`/projects?q=tram${count}`), await ask(`/api/v2/projects?page%5Bsize%5D=${count}`)]
        ;[page = '', api = ''] = answers.map(({ text }) => text)
        return answers.map(({ status, headers }) => [status, headers['retry-after']])
      }
      await expect.poll(askBoth, { interval: 200 }).toEqual([
        [503, '5'],
        [503, '5'],
      ])
      expect(page).toContain('<html lang="en"')
      expect(JSON.parse(api)).toMatchObject({ errors: [{ status: '503' }] })
    } finally {
      product.process.kill('SIGCONT')
    }
    const askAgain = async () => [(await ask('/projects?q=train')).status, (await ask('/api/v2/projects')).status]
    await expect.poll(askAgain, { timeout: 20_000 }).toEqual([200, 200])
    expect(product.output()).toContain('The embedded PostgreSQL died: starting it again.')
    // A crash empties the table that says when jobs are due.
    const countTakenJobs = async () => {
      const names = `('deliver-mails', 'send-texts', 'run-campaigns')`
      return (await queryOnce(DATA_DIR, `select name from job_turns where due_at > now() and name in ${names}`)).rowCount
    }
    await expect.poll(countTakenJobs).toBe(3)
    expect(await product.stop()).toBe(0)
  })
})

describe('several web processes', () => {
  const settings = { ...plain, WEB_PROCESSES: '2' }
  let product: Product
  beforeAll(async () => {
    product = await startProduct(settings)
  })
  afterAll(async () => void (await product.stop()))
  // Both listen: if the only listener of a port dies, it is closed for a moment.
  async function waitUntilReady(): Promise<void> {
    await expect.poll(() => product.output()).toContain('Parley is ready.')
  }

  test('connections that stay open, such as those of a proxy, are spread over the web processes', async () => {
    await waitUntilReady()
    const connections = Array.from({ length: 60 }, () => connect(product.port, '127.0.0.1'))
    onTestFinished(() => connections.forEach((connection) => connection.destroy()))
    for (const connection of connections) {
      connection.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
      const [answer] = (await once(connection, 'data')) as [Buffer]
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /)
    }
    const taken = webProcesses(product).map((pid) => countSockets(Number(pid), product.port, 'established'))
    expect(taken).toHaveLength(2)
    // The chance that one of them gets fewer than 12 of 60 is about one in half a million.
    expect(Math.min(...taken)).toBeGreaterThanOrEqual(12)
  })

  test('if one of several web processes dies it is replaced, and the others keep responding', async () => {
    await waitUntilReady()
    const children = () => webProcesses(product)
    const before = children()
    process.kill(Number(before[0]), 'SIGKILL')
    await expect.poll(() => product.output()).toContain(`The web process ${before[0]} died: starting another.`)
    for (let i = 0; i < 10; i++) expect(await status(product, '/healthz')).toBe(200)
    await expect.poll(() => children().filter((pid) => !before.includes(pid)), { timeout: 20_000 }).toHaveLength(1)
  })

  test('a web process killed while it is busy leaves no request hanging', async () => {
    const deaths = () => product.output().split('starting another.').length - 1
    const before = deaths()
    await createSite({ ...settings, PORT: String(product.port) }, 'busy.localhost', 'Busy Town')
    const waits: number[] = []
    const hung: number[] = []
    for (let trial = 0; trial < 6; trial++) {
      await expect.poll(() => webProcesses(product), { timeout: 60_000 }).toHaveLength(2)
      await expect.poll(() => status(product, '/readyz'), { timeout: 60_000 }).toBe(200)
      const asked = Array.from({ length: 60 }, async (_, at) => {
        const from = performance.now()
        const answered = sendRequest(product.port, `/projects?q=word${at}`, { host: 'busy.localhost' }).catch(() => undefined)
        const late = wait(HANGING_MS, 'late', { ref: false })
        if ((await Promise.race([answered, late])) === 'late') hung.push(trial)
        waits.push(performance.now() - from)
      })
      await wait(150)
      process.kill(findOldestWebProcess(product), 'SIGKILL')
      await Promise.all(asked)
      await expect.poll(deaths, { timeout: 60_000 }).toBe(before + trial + 1)
    }
    console.log(`6 kills under 60 requests each: the longest took ${Math.round(Math.max(...waits))} ms, ${hung.length} hung`)
    expect(hung).toEqual([])
  })

  test('stop cleanly after all of this', async () => {
    expect(await product.stop()).toBe(0)
  })
})
