import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { deriveAppPassword } from '#app/server/connection-string.ts'
import { migrateDatabase } from '#app/server/db/migrate.ts'
import manifest from '../../package.json' with { type: 'json' }
import { copyTemplate, TEST_SECRET } from './cluster.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Addresses of the running products without a site's name, e.g. `http://localhost:4240`: one per parallel worker. */
    origins: string[]
    dataDirs: string[]
    /** Running products without the demo, on empty databases: one per parallel worker. */
    emptyProducts: { port: number; ownerUrl: string }[]
  }
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const STARTS_WITHIN_MS = 180_000
/** What `npm start` tells Node. */
const START_OPTIONS = manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'))

export type Settings = Record<string, string>

/** A `parley` command that is running or has ended. */
export interface RunningCommand {
  process: ChildProcess
  /** Everything printed so far. */
  output: () => string
  /** Standard error only. */
  complaint: () => string
  /** Resolves with its exit code. */
  ended: Promise<number | null>
}

export interface Product extends RunningCommand {
  /** e.g. `http://localhost:4240`; sites are at `http://<site>.localhost:4240`. */
  origin: string
  port: number
  /** Stops it as a service manager would, and resolves with its exit code. */
  stop: () => Promise<number | null>
}

export interface LaunchOptions {
  /** The repository to run from; this one by default. */
  root?: string
  /** The Node to run it with; the one that runs the tests by default. */
  node?: string
  uid?: number
  gid?: number
  /** In its own process group, as in a terminal. */
  detached?: boolean
}

/** An empty folder for data directories, which the database's own user may enter if the tests run as root. */
export function temporaryFolder(name: string): string {
  const dir = mkdtempSync(join(tmpdir(), `parley-${name}-`))
  chmodSync(dir, 0o711)
  return dir
}

/** Runs `node app/cli/parley.js <words>` with only these settings. */
export function runParley(words: string[], settings: Settings, place: LaunchOptions = {}): RunningCommand {
  const { root = ROOT, node = process.execPath, ...owner } = place
  const options = words[0] === 'start' ? START_OPTIONS : []
  const child = spawn(node, [...options, 'app/cli/parley.js', ...words], {
    cwd: root,
    env: { ...cleanEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...owner,
  })
  const [out, all]: [string[], string[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => all.push(chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => {
    out.push(chunk.toString())
    all.push(chunk.toString())
  })
  return {
    process: child,
    output: () => all.join(''),
    complaint: () => out.join(''),
    ended: once(child, 'close').then(([code]) => code as number | null),
  }
}

/** Starts the product as `npm start` does and waits until it answers. @param words e.g. `['dev']` */
export async function startProduct(settings: Settings, place: LaunchOptions = {}, words = ['start']): Promise<Product> {
  const port = Number(settings['PORT'] ?? (await freePort()))
  const running = runParley(words, { ...settings, PORT: String(port) }, place)
  const origin = `http://localhost:${port}`
  const deadline = Date.now() + STARTS_WITHIN_MS
  while (!(await isAnswering(words[0] === 'dev' ? `${origin}/@vite/client` : `${origin}/readyz`))) {
    if (running.process.exitCode !== null || running.process.signalCode !== null)
      throw new Error(`Parley did not start:\n${running.output()}`)
    if (Date.now() > deadline) {
      running.process.kill('SIGKILL')
      throw new Error(`Parley did not answer within ${STARTS_WITHIN_MS / 1000} s:\n${running.output()}`)
    }
    await wait(50)
  }
  const stop = () => {
    running.process.kill('SIGTERM')
    return running.ended
  }
  return { ...running, origin, port, stop }
}

/** Builds the product once for all tests. */
export function ensureBuilt(): Promise<void> {
  const shared = globalThis as { parleyBuilt?: Promise<void> }
  shared.parleyBuilt ??= (async () => {
    const running = runParley(['build'], {})
    if ((await running.ended) !== 0) throw new Error(`Parley could not be built:\n${running.output()}`)
  })()
  return shared.parleyBuilt
}

/** Starts one product with its demo and one without per parallel worker, so that concurrent test files do not interfere. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await ensureBuilt()
  const dir = temporaryFolder('e2e')
  const places = Array.from({ length: project.vitest.config.maxWorkers }, (_, place) => join(dir, String(place)))
  const start = (DATA_DIR: string) => startProduct({ DATA_DIR, LOG_LEVEL: 'warn' })
  // The demo takes longer to make than to copy.
  const [first = '', ...others] = places
  const code = await (await start(first)).stop()
  if (code !== 0) throw new Error(`The product that made the demo ended with ${code}`)
  await Promise.all(others.map((place) => promisify(execFile)('cp', ['-a', first, place])))
  const products = await Promise.all(places.map(start))
  const databases = await Promise.all(places.map(() => copyTemplate(project.getProvidedContext().ownerUrl)))
  const empty = await Promise.all(
    databases.map(async ({ ownerUrl }, place) => {
      await migrateDatabase(ownerUrl, deriveAppPassword(TEST_SECRET))
      const settings = { DATA_DIR: join(dir, `empty-${place}`), DATABASE_URL: ownerUrl, SECRET_KEY: TEST_SECRET, LOG_LEVEL: 'warn' }
      return startProduct({ ...settings, OUTGOING_LOOPBACK: '1' })
    }),
  )
  let stopping = false
  const watch = async ({ ended, output }: Product) => {
    const code = await ended
    if (!stopping) console.error(`A product ended in the middle of the journeys with ${code}:\n${output().slice(-10_000)}`)
  }
  for (const product of [...products, ...empty]) void watch(product)
  project.provide(
    'origins',
    products.map(({ origin }) => origin),
  )
  project.provide('dataDirs', places)
  project.provide(
    'emptyProducts',
    empty.map(({ port }, place) => ({ port, ownerUrl: databases[place]?.ownerUrl ?? '' })),
  )
  return async () => {
    stopping = true
    await Promise.all([...products, ...empty].map((product) => product.stop()))
    await Promise.all(databases.map(({ drop }) => drop()))
    rmSync(dir, { recursive: true, force: true })
  }
}

const FOREIGN =
  /^(PORT|HOST|DATA_DIR|DATABASE_URL|PUBLIC_URL|API_ENDPOINT|SECRET_KEY|TRUSTED_PROXIES|WEB_PROCESSES|SENTRY_.*|SEGMENT_.*|INTERCOM_.*|SMTP_.*|OUTGOING_LOOPBACK|MAP_STYLE_URL|NO_DEMO|LOG_LEVEL|VITEST.*|NODE_ENV|TEST|PARLEY_.*)$/

/** The environment without settings of Parley or of the test runner. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)))
}

/**
 * Below the ephemeral ports: the system could give one of those to another program before the product listens on it. Above 10080, the
 * highest port below them that `fetch` and browsers refuse.
 */
const PORTS = { first: 10_100, count: 5900 }
/** Each process starts with a different port. */
let nextPort = process.pid * 61

/** A file for each port that a test process was given: another one would find it free until the product listens there. */
const RESERVED_PORTS = join(tmpdir(), 'parley-ports')

/** A port that is not in use. */
export async function freePort(): Promise<number> {
  // Twice round: ports of processes that have ended become free on the way.
  for (let tried = 0; tried < 2 * PORTS.count; tried++) {
    const port = PORTS.first + (nextPort++ % PORTS.count)
    if (reservePort(port) && (await isFree(port))) return port
  }
  throw new Error('No free port')
}

/** For as long as this process runs. @returns false if another process has it */
function reservePort(port: number): boolean {
  const path = join(RESERVED_PORTS, String(port))
  mkdirSync(RESERVED_PORTS, { recursive: true })
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    const owner = readReservation(path)
    if (owner !== undefined && !isRunning(owner)) rmSync(path, { force: true })
    return owner === process.pid
  }
}

/** @returns undefined if another process has just removed it */
function readReservation(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

async function isAnswering(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { redirect: 'manual' })).ok
  } catch {
    return false
  }
}
