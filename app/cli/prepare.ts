import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PreparedDatabase } from '../serve/open-runtime.ts'
import { deriveAppPassword, getAppRole, buildAppUrl, getDatabaseName } from '../server/connection-string.ts'
import { loadRoleFacts, mayManageRole, requirePlainRole } from '../server/db/app-role.ts'
import { toConnectionFault } from '../server/db/connection-fault.ts'
import { readOrCreateSecret, readSecrets, startEmbedded } from '../server/db/embedded-postgres.ts'
import {
  canLogIn,
  listMigrations,
  loadPendingMigrations,
  migrateDatabase,
  requirePostgresVersion,
  withClient,
} from '../server/db/migrate.ts'
import { type Env, getDirectUrl } from '../server/env.ts'
import { isDiskFull, StartupFault } from '../server/startup-fault.ts'

export interface ReadyDatabase {
  prepared: PreparedDatabase
  /** Port of the embedded PostgreSQL, if that is used. */
  databasePort: number | undefined
  stop: () => Promise<void>
}

/** Connections that one web process may hold: those for requests, for jobs and for the listener. */
const CONNECTIONS_EACH = 24

/**
 * Makes the database ready: started if embedded, at the newest schema, with the application's role.
 * @throws {StartupFault} with one sentence that says what is wrong
 */
export async function prepareDatabase(env: Env, say: (line: string) => void): Promise<ReadyDatabase> {
  const secret = readSigningSecret(env)
  const directUrl = getDirectUrl(env)
  if (env.DATABASE_URL && directUrl) {
    const urls = { directUrl, databaseUrl: env.DATABASE_URL, ...(env.DATABASE_READ_URL && { readUrl: env.DATABASE_READ_URL }) }
    return { ...(await prepareGivenDatabase(urls, readKeys(env), say)), databasePort: undefined, stop: async () => {} }
  }
  if (!existsSync(join(env.DATA_DIR, 'postgres.password'))) say('Making the database…')
  const flags = ['-c', `max_connections=${Math.max(100, 20 + CONNECTIONS_EACH * env.WEB_PROCESSES)}`]
  const embedded = await startEmbedded(env.DATA_DIR, { flags, say })
  try {
    const applied = await migrateDatabase(embedded.ownerUrl, deriveAppPassword(secret))
    reportMigrations(applied, say)
    const databaseUrl = buildAppUrl(embedded.ownerUrl, secret)
    await withClient(databaseUrl, requirePlainRole)
    const prepared = { databaseUrl, directUrl: databaseUrl, secret, keys: readKeys(env), migrations: await listMigrations() }
    return { prepared, databasePort: embedded.port, stop: () => embedded.stop() }
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

export const getSecretFile = (env: Pick<Env, 'DATA_DIR'>): string => join(env.DATA_DIR, 'secret.key')

/** The installation's keys, newest first: SECRET_KEY and its predecessors, or those stored in the data directory. */
export function readKeys(env: Pick<Env, 'DATA_DIR' | 'SECRET_KEY' | 'FORMER_SECRET_KEYS'>): readonly [string, ...string[]] {
  if (env.SECRET_KEY) return [env.SECRET_KEY, ...(env.FORMER_SECRET_KEYS ?? [])]
  readOrCreateSecret(getSecretFile(env))
  return readSecrets(getSecretFile(env))
}

/** The signing key: the first key ever, whichever key seals now. Receipts, links in mails and the record of who responded depend on it. */
export const readSigningSecret = (env: Pick<Env, 'DATA_DIR' | 'SECRET_KEY' | 'FORMER_SECRET_KEYS'>): string => readKeys(env).at(-1) ?? ''

/** With `DATABASE_URL`, and `DATABASE_DIRECT_URL` where a pool is in between: an owner's connection, which may migrate, or the application's own, which needs an up-to-date schema. */
async function prepareGivenDatabase(
  { directUrl: url, databaseUrl: pooledUrl, ...reading }: Pick<PreparedDatabase, 'directUrl' | 'databaseUrl' | 'readUrl'>,
  keys: readonly string[],
  say: (line: string) => void,
): Promise<Pick<ReadyDatabase, 'prepared'>> {
  const secret = keys.at(-1) ?? ''
  try {
    const owner = await withClient(url, async (client) => {
      await requirePostgresVersion(client)
      const { mayBuild, name } = await loadRoleFacts(client)
      if (mayBuild) return true
      await requirePlainRole(client)
      const pending = await loadPendingMigrations(client)
      if (!pending.length) return false
      throw new StartupFault(
        `The database of DATABASE_URL is not up to date, and its user ${name} may not change it: run parley migrate with the owner's DATABASE_URL first.`,
      )
    })
    const migrations = await listMigrations()
    if (!owner) return { prepared: { databaseUrl: pooledUrl, directUrl: url, ...reading, secret, keys, migrations } }
    const role = getAppRole(getDatabaseName(url))
    const directUrl = buildAppUrl(url, secret, role)
    const databaseUrl = buildAppUrl(pooledUrl, secret, role)
    const readUrl = reading.readUrl && buildAppUrl(reading.readUrl, secret, role)
    reportMigrations(await migrateGivenDatabase(url, directUrl, secret), say)
    await withClient(databaseUrl, requirePlainRole)
    return { prepared: { databaseUrl, directUrl, ...(readUrl && { readUrl }), secret, keys, migrations } }
  } catch (error) {
    if (error instanceof StartupFault) throw error
    if (isDiskFull(error))
      throw new StartupFault('The disk of the database of DATABASE_URL is full: free some room and start again.', { cause: error })
    throw toConnectionFault(error, url)
  }
}

/** The role's password is set only when the role is created, and otherwise only by `parley migrate`: other processes may be using it. */
async function migrateGivenDatabase(ownerUrl: string, databaseUrl: string, secret: string): Promise<string[]> {
  const role = getAppRole(getDatabaseName(ownerUrl))
  const { known, mayManage } = await withClient(ownerUrl, async (client) => ({
    known: (await client.query('select from pg_roles where rolname = $1', [role])).rowCount,
    mayManage: await mayManageRole(client, role),
  }))
  const keepRole = Boolean(known) && (await canLogIn(databaseUrl))
  if (known && mayManage && !keepRole)
    throw new StartupFault(
      `The database of DATABASE_URL was set up with another SECRET_KEY: give this process the same one, or run parley migrate to change the key of ${role}.`,
    )
  return migrateDatabase(ownerUrl, deriveAppPassword(secret), { keepRole })
}

function reportMigrations(applied: string[], say: (line: string) => void): void {
  if (applied.length) say(`Migrated the database (${applied.length} ${applied.length === 1 ? 'step' : 'steps'}).`)
}
