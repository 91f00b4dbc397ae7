import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { LANGUAGES } from '../../lib/languages.ts'
import { getAppRole, replaceUser } from '../connection-string.ts'
import { StartupFault } from '../startup-fault.ts'
import { createOrUpdateRole, mayManageRole, requireRightsToMigrate, secureTables } from './app-role.ts'
import { BASELINE, listSteps, type MigrationStep } from './migration-steps.ts'
import { findPrimary } from './database-hosts.ts'
import { findMissingNeed, readNeed } from './needed-steps.ts'
import { findSqlState } from './sql-state.ts'
import { PLATFORM_SITE_ID } from './tenancy.ts'

export const OLDEST_POSTGRES = 15
const CONNECT_WITHIN_MS = 10_000
const MIGRATIONS_LOCK = 7_238_501
/** `invalid_password`, and `invalid_authorization_specification`, for a role that may not log in. */
const REFUSED_LOG_INS: ReadonlySet<string | undefined> = new Set(['28P01', '28000'])
/**
 * While a step waits for a lock on a table, everybody who comes after it waits too. So it gives way before PostgreSQL looks for deadlocks, which
 * is after a second, and before a request gives up (`REQUEST_LIMITS`); then it lets them pass, and tries again.
 */
const LOCK_WITHIN_MS = 800
const TRY_AGAIN_AFTER_MS = 1000
/** Longer than most backups and exports keep their transaction open. */
const GIVE_UP_AFTER_MS = 15 * 60_000
/** `lock_not_available` and `deadlock_detected`. */
const HELD_BY_OTHERS: ReadonlySet<string | undefined> = new Set(['55P03', '40P01'])

interface MigrateOptions {
  /** The application's role exists with the right password: leave it alone, so that no CREATEROLE is needed. */
  keepRole?: boolean
  /** Instead of this version's: builds an older schema, to restore a backup of it. */
  steps?: readonly MigrationStep[]
  /** How long to try for, in milliseconds, while others hold a table that a step changes. */
  giveUpAfterMs?: number
}

/**
 * Migrates the database at `ownerUrl` to the newest schema, each migration in its own transaction. Then creates the application's role, if it
 * does not exist yet, grants it its rights, and sets up row-level security on every tenant table. Safe to run from several processes at once, and
 * while processes of the version before serve from it.
 * @returns names of the migrations just applied
 * @throws {StartupFault} before anything is changed, if the connected role lacks a right or the database is too new for this version; after some
 *   steps were applied, if another transaction keeps a table locked for longer than `giveUpAfterMs`
 */
export async function migrateDatabase(ownerUrl: string, appPassword: string, options: MigrateOptions = {}): Promise<string[]> {
  return withMigrationsLock(ownerUrl, async (client) => {
    const { rows } = await client.query<{ database: string }>('select current_database() as database')
    const role = getAppRole(rows[0]?.database ?? '')
    const build = (await loadPendingMigrations(client)).length > 0
    const keepRole =
      options.keepRole || (!(await mayManageRole(client, role)) && (await canLogIn(replaceUser(ownerUrl, role, appPassword))))
    await requireRightsToMigrate(client, { appRole: keepRole ? undefined : { name: role, password: appPassword }, build })
    await client.query(
      'create table if not exists parley_migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    const done = await loadAppliedNames(client)
    if (!done.size) await client.query('create extension if not exists pg_trgm')
    const applied: string[] = []
    const until = performance.now() + (options.giveUpAfterMs ?? GIVE_UP_AFTER_MS)
    for (const { name, file } of options.steps ?? (await listSteps())) {
      if (done.has(name)) continue
      const statements = await readFile(file, 'utf8')
      await applyStep(client, name, until, async () => {
        await client.query(statements)
        const need = readNeed(statements)
        if (need) await recordStep(client, need)
      })
      applied.push(name)
    }
    if (!keepRole) await createOrUpdateRole(client, role, appPassword)
    const access = `access for ${role}`
    if (applied.length || !done.has(access)) {
      await applyStep(client, access, until, async () => {
        await secureTables(client, role)
        await client.query(
          `insert into sites (id, slug, name, status, region, locale, languages, time_zone)
           values ($1, 'platform', 'Parley', 'platform', 'Platform', 'en', $2, 'UTC')
           on conflict (id) do update set languages = excluded.languages`,
          [PLATFORM_SITE_ID, LANGUAGES],
        )
      })
    }
    return applied
  })
}

/**
 * Runs `work` while no other process does the same. The lock belongs to a transaction of its own connection: one that belonged to a session would
 * outlive it behind a pool.
 */
const withMigrationsLock = <T>(ownerUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient(ownerUrl, async (holder) => {
    await requirePostgresVersion(holder)
    await holder.query('begin; set local idle_in_transaction_session_timeout = 0')
    await holder.query('select pg_advisory_xact_lock($1)', [MIGRATIONS_LOCK])
    return withClient(ownerUrl, work)
  })

/** The steps that every up-to-date database has applied. */
export const listMigrations = async (): Promise<string[]> => (await listSteps()).map(({ name }) => name)

/**
 * Steps not yet applied to the connected database: all of them if it was never migrated.
 * @throws {StartupFault} if the database is of a version before the first release, or of a later one that took away what this version needs
 */
export async function loadPendingMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('public.parley_migrations') is not null as known`)
  const done = rows[0]?.known ? await loadAppliedNames(client) : new Set<string>()
  if (done.size > 0 && !done.has(BASELINE)) {
    throw new StartupFault('This database was made by a version of Parley before 1.0, which this version cannot upgrade.')
  }
  const steps = await listMigrations()
  if (findMissingNeed(done, new Set(steps)) !== undefined) {
    throw new StartupFault(
      'This database was upgraded by a later version of Parley, which took away what this version needs: start that version here, or restore a backup from before the upgrade into another database.',
    )
  }
  return steps.filter((name) => !done.has(name))
}

/** @throws {StartupFault} if the server is older than Parley supports */
export async function requirePostgresVersion(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  const version = Math.trunc(Number(rows[0]?.server_version_num) / 10_000)
  if (!(version >= OLDEST_POSTGRES)) {
    throw new StartupFault(`Parley needs PostgreSQL ${OLDEST_POSTGRES} or newer, and the database of DATABASE_URL is version ${version}.`)
  }
}

export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: await findPrimary(connectionString), connectionTimeoutMillis: CONNECT_WITHIN_MS })
  // A connection lost between two statements is reported by the next one.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** False if the server does not know the user of the connection string, or refuses its password. */
export async function canLogIn(connectionString: string): Promise<boolean> {
  try {
    await withClient(connectionString, async () => {})
    return true
  } catch (error) {
    if (REFUSED_LOG_INS.has(findSqlState(error))) return false
    throw error
  }
}

/** Runs `work` in a transaction that sees the rows of one site. */
export async function runForSite<T>(client: pg.ClientBase, siteId: string, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    await client.query(`select set_config('parley.site_id', $1, true)`, [siteId])
    return await work()
  } finally {
    await client.query('commit')
  }
}

/** Steps already applied to the connected database. */
export const loadAppliedMigrations = async (client: pg.ClientBase): Promise<string[]> => [...(await loadAppliedNames(client))].toSorted()

async function loadAppliedNames(client: pg.ClientBase): Promise<Set<string>> {
  return new Set((await client.query<{ name: string }>('select name from parley_migrations')).rows.map((row) => row.name))
}

/** Runs `work` and records its name, in one transaction. @param until tries again until then, by `performance.now()`, while others hold a table that it changes */
async function applyStep(client: pg.Client, name: string, until: number, work: () => Promise<void>): Promise<void> {
  for (;;) {
    await client.query(`begin; set local lock_timeout = ${LOCK_WITHIN_MS}`)
    try {
      await work()
      await recordStep(client, name)
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (!HELD_BY_OTHERS.has(findSqlState(error))) throw error
      if (performance.now() > until) throw await describeHolder(client, name, error)
    }
    await wait(TRY_AGAIN_AFTER_MS)
  }
}

async function recordStep(client: pg.Client, name: string): Promise<void> {
  await client.query('insert into parley_migrations (name) values ($1) on conflict (name) do update set applied_at = now()', [name])
}

/** Names the transaction that has been open for longest: it is the likeliest to hold the table. */
async function describeHolder(client: pg.Client, name: string, cause: unknown): Promise<StartupFault> {
  const { rows } = await client.query<{ pid: number; seconds: number }>(
    `select pid, round(extract(epoch from now() - xact_start))::int as seconds from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - interval '2 seconds'
       and not exists (select from pg_locks l where l.pid = pg_stat_activity.pid and l.locktype = 'advisory' and l.objid = $1)
     order by xact_start limit 1`,
    [MIGRATIONS_LOCK],
  )
  const [oldest] = rows
  const who = oldest
    ? `process ${oldest.pid} of the database, in a transaction that has been open for ${oldest.seconds} s`
    : 'somebody else'
  return new StartupFault(
    `The step ${name} has to wait for a table that is in use, probably by ${who}: start again once that is over. Everything before this step is done.`,
    { cause },
  )
}
