import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { appRole } from '../connect.ts'
import { grantQueue, installQueue, queueMark } from '../jobs/install.ts'
import { StartupFault } from '../startup-fault.ts'
import { makeRole, secureTables } from './app-role.ts'
import { PLATFORM_SITE_ID } from './tenancy.ts'

const FOLDER = fileURLToPath(new URL('./migrations/', import.meta.url))
export const OLDEST_POSTGRES = 15
const CONNECT_WITHIN_MS = 10_000
const MIGRATIONS_LOCK = 7_238_501

interface Options {
  /** The application's role exists and its password is right: leave it alone, and need no CREATEROLE. */
  keepRole?: boolean
  /** These steps and no others: an older schema, to fill it with what was saved of one. */
  only?: ReadonlySet<string>
}

/**
 * Brings the database at `ownerUrl` to the newest schema, each migration in a transaction of its own; makes the application's role, its
 * grants and row-level security on every tenant table, and the job queue. Several processes may do so at once.
 * @returns names of the migrations applied now
 */
export async function migrate(ownerUrl: string, appPassword: string, options: Options = {}): Promise<string[]> {
  return withClient(ownerUrl, async (client) => {
    await requireVersion(client)
    await client.query('select pg_advisory_lock($1)', [MIGRATIONS_LOCK])
    await client.query(
      'create table if not exists parley_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const done = await appliedNames(client)
    if (!done.size) await client.query('create extension if not exists pg_trgm')
    const applied: string[] = []
    for (const name of await migrationNames()) {
      if (done.has(name) || (options.only && !options.only.has(name))) continue
      await inTransaction(client, name, async () => {
        await client.query(await readFile(FOLDER + name, 'utf8'))
      })
      applied.push(name)
    }
    const { rows } = await client.query<{ database: string }>('select current_database() as database')
    const role = appRole(rows[0]?.database ?? '')
    if (!options.keepRole) await makeRole(client, role, appPassword)
    const access = `access for ${role}`
    const queue = queueMark()
    const queued = done.has(queue)
    if (!queued) await installQueue(ownerUrl)
    if (applied.length || !queued || !done.has(access)) {
      await inTransaction(client, access, async () => {
        await secureTables(client, role)
        await grantQueue(client, role)
        await client.query(
          `insert into sites (id, slug, name, status, region, locale, languages, time_zone)
           values ($1, 'platform', 'Parley', 'platform', 'Platform', 'en', '{en,fr-CA,cy}', 'UTC') on conflict do nothing`,
          [PLATFORM_SITE_ID],
        )
      })
      await client.query('insert into parley_migrations (name) values ($1) on conflict do nothing', [queue])
    }
    return applied
  })
}

/** Every step that a database of this version has behind it. */
export const allMigrations = async (): Promise<string[]> => [...(await migrationNames()), queueMark()]

/** Steps that the connected database still lacks; all of them where it was never migrated. */
export async function pendingMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('public.parley_migrations') is not null as known`)
  const done = rows[0]?.known ? await appliedNames(client) : new Set<string>()
  return (await allMigrations()).filter((name) => !done.has(name))
}

/** @throws {StartupFault} when the server is older than Parley works with */
export async function requireVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  const version = Math.trunc(Number(rows[0]?.server_version_num) / 10_000)
  if (!(version >= OLDEST_POSTGRES)) {
    throw new StartupFault(`Parley needs PostgreSQL ${OLDEST_POSTGRES} or newer, and the database of DATABASE_URL is version ${version}.`)
  }
}

export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_WITHIN_MS })
  // A connection lost between two statements is reported by the next one.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const migrationNames = async () => (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort()

/** Steps that the connected database has behind it. */
export const appliedMigrations = async (client: pg.ClientBase): Promise<string[]> => [...(await appliedNames(client))].toSorted()

async function appliedNames(client: pg.ClientBase): Promise<Set<string>> {
  return new Set((await client.query<{ name: string }>('select name from parley_migrations')).rows.map((row) => row.name))
}

async function inTransaction(client: pg.ClientBase, name: string, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('insert into parley_migrations (name) values ($1) on conflict (name) do update set applied_at = now()', [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
