import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { buildAppUrl, getAppRole } from '#app/server/connection-string.ts'
import { TEST_SECRET } from '#tests/support/cluster.ts'
import { addSite, createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { startTransactionPool, type TransactionPool } from '#tests/support/transaction-pool.ts'
import type { Site } from '../site-directory.ts'
import type { Database, Limits } from './client.ts'
import { hubs } from './schema/projects.ts'

const LIMITS: Limits = { connection: 4000, statement: 15_000, lock: 2500, pause: 30_000 }

let runtime: TestRuntime
let sites: [Site, Site]
let directUrl: string
beforeAll(async () => {
  runtime = await createTestRuntime()
  sites = [await addSite(runtime, { slug: 'alder' }), await addSite(runtime, { slug: 'birch' })]
  for (const { id, slug } of sites)
    await runtime.database.site(id).tx((tx) => tx.insert(hubs).values({ siteId: id, id: createId(), slug: `${slug}-hub`, title: {} }))
  directUrl = buildAppUrl(runtime.ownerUrl, TEST_SECRET, getAppRole('template_parley'))
})

const pools: TransactionPool[] = []
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.stop()
})
async function openPool(options: Parameters<typeof startTransactionPool>[0] = {}): Promise<string> {
  const pool = await startTransactionPool(options)
  pools.push(pool)
  return pool.throughPool(directUrl)
}

/** The database as a process of its own sees it, with its own names of statements. */
async function openAsProcess(url: string, limits: Limits | undefined = LIMITS): Promise<Database> {
  vi.resetModules()
  const { openDatabase } = await import('./client.ts')
  const database = openDatabase(url, { max: 2, limits, onError: () => {} })
  onTestFinished(() => database.close())
  return database
}

/** Repeated statements, each of which answers with its own number. */
const askFor = (database: Database, site: Site, number: number) =>
  database.site(site.id).tx(async (tx) => {
    const { rows } = await tx.execute<{ number: number; slug: string }>(
      sql`${sql.raw(`select ${number}`)} as number, slug from hubs where length(slug) < ${900}`,
    )
    return rows
  })

const expectRow = (site: Site, number: number) => [{ number, slug: `${site.slug}-hub` }]

describe('behind a pool in transaction mode', () => {
  test('two processes on one connection each get the results of their own statements', async () => {
    const url = await openPool()
    const [one, other] = [await openAsProcess(url), await openAsProcess(url)]
    const numbers = [1, 2, 3, 4, 5, 6]
    let wrong = 0
    for (let round = 0; round < 6; round++) {
      for (const at of numbers.keys()) {
        // In another order, so that what is the first statement of one process is the last of the other.
        const [first, last] = [numbers[at] ?? 0, numbers.at(-1 - at) ?? 0]
        const found = await Promise.all([askFor(one, sites[0], first), askFor(other, sites[1], last)])
        if (JSON.stringify(found) !== JSON.stringify([expectRow(sites[0], first), expectRow(sites[1], last)])) wrong += 1
      }
    }
    expect(wrong).toBe(0)
  })

  test('a pool that hides itself may fail a statement, but never answers with the result of another', async () => {
    const url = await openPool({ hidesItself: true })
    const [one, other] = [await openAsProcess(url), await openAsProcess(url)]
    const numbers = [1, 2, 3, 4]
    const results: { found: unknown; expected: unknown }[] = []
    let failed = 0
    for (let round = 0; round < 8; round++) {
      for (const at of numbers.keys()) {
        for (const [database, site, number] of [
          [one, sites[0], numbers[at] ?? 0],
          [other, sites[1], numbers.at(-1 - at) ?? 0],
        ] as const) {
          failed = 0
          const found = await askFor(database, site, number).catch(() => (failed += 1))
          if (typeof found !== 'number') results.push({ found, expected: expectRow(site, number) })
          // Once it has noticed the pool, nothing fails any more.
          if (round > 3) expect(failed).toBe(0)
        }
      }
    }
    expect(results.length).toBeGreaterThan(30)
    for (const { found, expected } of results) expect(found).toEqual(expected)
  })

  test('no rows of any site are seen without a site on a connection that served one', async () => {
    const url = await openPool()
    const database = await openAsProcess(url)
    for (const site of sites) {
      await database.site(site.id).tx((tx) => tx.select().from(hubs))
      await database.site(site.id).read((tx) => tx.select().from(hubs))
    }
    const stranger = new pg.Client({ connectionString: url })
    await stranger.connect()
    onTestFinished(() => stranger.end())
    const { rows } = await stranger.query(
      `select (select count(*)::int from hubs) as hubs, nullif(current_setting('parley.site_id', true), '') as site`,
    )
    expect(rows).toEqual([{ hubs: 0, site: null }])
    expect(await database.global.select().from(hubs)).toEqual([])
  })

  test('the limits of a process hold in each of its transactions, and end with it', async () => {
    const url = await openPool()
    const [short, long] = [await openAsProcess(url), await openAsProcess(url, { ...LIMITS, statement: 900_000, lock: 20_000 })]
    const readLimits = sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as pause`
    const [{ id }] = sites
    const ofShort = [{ statement: '15s', lock: '2500ms', pause: '30s' }]
    const ofLong = [{ statement: '15min', lock: '20s', pause: '30s' }]
    for (let round = 0; round < 2; round++) {
      expect((await short.site(id).tx((tx) => tx.execute(readLimits))).rows).toEqual(ofShort)
      expect((await long.site(id).read((tx) => tx.execute(readLimits))).rows).toEqual(ofLong)
      expect((await short.site(id).readTogether((tx) => tx.execute(readLimits))).rows).toEqual(ofShort)
      expect((await long.global.execute(readLimits)).rows).toEqual(ofLong)
      expect((await short.pool.query(`select current_setting('lock_timeout') as lock`)).rows).toEqual([{ lock: '2500ms' }])
    }
    const stranger = new pg.Client({ connectionString: url })
    await stranger.connect()
    onTestFinished(() => stranger.end())
    expect((await stranger.query(`select current_setting('lock_timeout') as lock`)).rows).toEqual([{ lock: '0' }])
  })

  test('what a statement without a site writes is stored, and undone if it fails', async () => {
    const database = await openAsProcess(await openPool())
    const [{ id }] = sites
    await database.global.execute(sql`update sites set region = 'Wales' where id = ${id}`)
    await expect(database.global.execute(sql`update sites set region = 'Nowhere', slug = null where id = ${id}`)).rejects.toThrow()
    const { rows } = await database.global.execute(sql`select region from sites where id = ${id}`)
    expect(rows).toEqual([{ region: 'Wales' }])
  })
})

test('without a pool, a statement that is repeated is prepared once for each connection', async () => {
  const database = await openAsProcess(directUrl)
  for (let count = 0; count < 4; count++) await askFor(database, sites[0], 77)
  const { rows } = await database
    .site(sites[0].id)
    .tx((tx) => tx.execute(sql`select name from pg_prepared_statements where statement like ${'select 77 as%'}`))
  expect(rows).toHaveLength(1)
})
