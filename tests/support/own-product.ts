import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type IncomingHttpHeaders, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright'
import { afterAll, inject } from 'vitest'
import { deriveAppPassword, buildAppUrl } from '#app/server/connection-string.ts'
import { type Database, openDatabase } from '#app/server/db/client.ts'
import { migrateDatabase } from '#app/server/db/migrate.ts'
import { readEnv } from '#app/server/env.ts'
import { createLogger } from '#app/server/log.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { type Site, SiteDirectory } from '#app/server/site-directory.ts'
import { openTestPage } from './browser.ts'
import { copyTemplate, TEST_SECRET } from './cluster.ts'
import { type Product, startProduct } from './product.ts'

/** A separate database without the demo, for products started with a test's own settings. */
export interface OwnDatabase {
  /** Its connection string as the tables’ owner. */
  ownerUrl: string
  runtime: Runtime
  database: Database
  /** Runs a statement as the tables' owner, to break what only an owner can. */
  asOwner: (statement: string) => Promise<void>
  /** Starts the built product on it; stopped after the file's tests. */
  start: (settings?: Record<string, string>) => Promise<OwnProduct>
}

/** A running product without the demo. */
export interface EmptyProduct {
  port: number
  /** Address of one of its sites. */
  at: (site: Site) => string
  /** A response without a browser; the system's resolver need not know the sites' names. */
  read: (
    site: Site,
    path: string,
    headers?: Record<string, string>,
  ) => Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>
  /** A new visitor of the site, signed in if a token is given. */
  visit: (site: Site, options?: BrowserContextOptions & { token?: string }) => Promise<Visitor>
}

export interface OwnProduct extends EmptyProduct {
  product: Product
}

export interface Visitor {
  page: Page
  context: BrowserContext
  /** Console errors and uncaught exceptions. */
  complaints: string[]
  /** Requested addresses so far, except the site's own files. */
  requests: string[]
}

/** Call it at the top of a test file. */
export async function createOwnDatabase(): Promise<OwnDatabase> {
  const dir = mkdtempSync(join(tmpdir(), 'parley-own-'))
  const { ownerUrl, drop } = await copyTemplate(inject('ownerUrl'))
  // Creates the role that this database's product connects as.
  await migrateDatabase(ownerUrl, deriveAppPassword(TEST_SECRET))
  const database = openDatabase(buildAppUrl(ownerUrl, TEST_SECRET), { max: 4, idleMs: 5000, onError: () => undefined })
  const products: Product[] = []
  afterAll(async () => {
    // Also those that a test started: without its database, a product would look for it several times a second until the run ends.
    await Promise.all(products.map((product) => product.stop()))
    await database.close()
    await drop()
    await rm(dir, { recursive: true, force: true })
  })
  const runtime = buildRuntime(database, dir)
  return {
    runtime,
    ownerUrl,
    database,
    asOwner: async (statement) => {
      const owner = new pg.Client({ connectionString: ownerUrl })
      await owner.connect()
      await owner.query(statement)
      await owner.end()
    },
    start: async (settings = {}) => {
      const product = await startProduct({
        LOG_LEVEL: 'warn',
        ...settings,
        DATA_DIR: mkdtempSync(join(dir, 'data-')),
        DATABASE_URL: ownerUrl,
        SECRET_KEY: TEST_SECRET,
      })
      products.push(product)
      return { product, ...reachProduct(product.port) }
    },
  }
}

let shared: { runtime: Runtime; database: Database } | undefined

/**
 * The worker's product without the demo, to which its test files add their own sites: it starts once for all of them. Files that need settings
 * of their own, break the database or count what is on the platform use `createOwnDatabase`.
 */
export function useSharedProduct(): { db: { runtime: Runtime; database: Database }; product: EmptyProduct } {
  const { port, ownerUrl } = inject('emptyProducts')[Number(process.env['VITEST_POOL_ID']) - 1] ?? { port: 0, ownerUrl: '' }
  if (!shared) {
    const database = openDatabase(buildAppUrl(ownerUrl, TEST_SECRET), { max: 4, idleMs: 5000, onError: () => undefined })
    shared = { database, runtime: buildRuntime(database, mkdtempSync(join(tmpdir(), 'parley-shared-'))) }
  }
  return { db: shared, product: reachProduct(port) }
}

function buildRuntime(database: Database, dataDir: string): Runtime {
  return {
    env: readEnv({ DATA_DIR: dataDir }),
    secret: TEST_SECRET,
    database,
    sites: new SiteDirectory(database),
    log: createLogger('silent'),
    now: () => new Date(),
  }
}

function reachProduct(port: number): EmptyProduct {
  const at = (site: Site) => `http://${site.host}:${port}`
  return {
    port,
    at,
    read: (site, path, headers = {}) => readAddress(port, path, { ...headers, host: `${site.host}:${port}` }),
    visit: (site, options) => openVisitor(at(site), options),
  }
}

async function openVisitor(origin: string, { token, ...options }: BrowserContextOptions & { token?: string } = {}): Promise<Visitor> {
  const page = await openTestPage({ baseURL: origin, locale: 'en', ...options })
  const context = page.context()
  if (token) await context.addCookies([{ name: 'token', value: token, url: origin, httpOnly: true, sameSite: 'Lax' }])
  const complaints: string[] = []
  const requests: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(`${message.text()} (${page.url()})`)
  })
  page.on('pageerror', (error) => complaints.push(`${error.message} (${page.url()})`))
  page.on('request', (asked) => {
    const url = new URL(asked.url())
    if (url.origin !== origin || !url.pathname.startsWith('/assets/')) requests.push(url.origin === origin ? url.pathname : url.href)
  })
  return { page, context, complaints, requests }
}

function readAddress(port: number, path: string, headers: Record<string, string>): ReturnType<OwnProduct['read']> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() }))
    })
    asked.once('error', reject).end()
  })
}
