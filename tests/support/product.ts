import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the running product without a site's name, e.g. `http://localhost:4240`. */
    origin: string
  }
}

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const STARTS_WITHIN_MS = 180_000

export interface Product {
  /** e.g. `http://localhost:4240`; sites are at `http://<site>.localhost:4240`. */
  origin: string
  port: number
  process: ChildProcess
  /** Everything it has printed so far. */
  output: () => string
  /** Stops it as a person would, and says how it ended. */
  stop: () => Promise<number | null>
}

/** Starts the product as `npm start` does, with the settings given, and waits until it answers. */
export async function startProduct(settings: Record<string, string | undefined> & { DATA_DIR: string }): Promise<Product> {
  const port = Number(settings['PORT'] ?? (await freePort()))
  const child = spawn(process.execPath, ['app/cli/parley.ts', 'start'], {
    cwd: ROOT,
    env: { ...cleanEnvironment(), ...settings, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed: string[] = []
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => printed.push(chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const product: Product = {
    origin: `http://localhost:${port}`,
    port,
    process: child,
    output: () => printed.join(''),
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
  }
  const deadline = Date.now() + STARTS_WITHIN_MS
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`Parley did not start:\n${product.output()}`)
    if (await answers(`${product.origin}/`)) return product
    if (Date.now() > deadline) {
      child.kill('SIGKILL')
      throw new Error(`Parley did not answer within ${STARTS_WITHIN_MS / 1000} s:\n${product.output()}`)
    }
    await new Promise((done) => setTimeout(done, 100))
  }
}

/** Starts the product with its demo once for the browser journeys. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = mkdtempSync(join(tmpdir(), 'parley-e2e-'))
  const product = await startProduct({ DATA_DIR: dir, LOG_LEVEL: 'warn' })
  project.provide('origin', product.origin)
  return async () => {
    await product.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

/** The environment without settings of Parley's own or of the test runner that somebody may have set. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const foreign =
    /^(PORT|HOST|DATA_DIR|DATABASE_URL|PUBLIC_URL|API_ENDPOINT|SECRET_KEY|TRUSTED_PROXIES|WEB_PROCESSES|SENTRY_|SEGMENT_|INTERCOM_|SMTP_URL|MAP_STYLE_URL|NO_DEMO|LOG_LEVEL|VITEST|NODE_ENV|TEST$)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)))
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No free port'))))
    })
  })
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { redirect: 'manual' })
    return true
  } catch {
    return false
  }
}
