import { type Limits, openDatabase } from '../server/db/client.ts'
import { explainRefusedSetting } from '../server/db/connection-fault.ts'
import { findSqlState } from '../server/db/sql-state.ts'
import type { Env } from '../server/env.ts'
import { createLogger } from '../server/log.ts'
import { OutageLog } from '../server/outage-log.ts'
import type { Runtime } from '../server/runtime.ts'
import { SiteDirectory } from '../server/site-directory.ts'

/** How the command line tells a web process where the prepared database is. Internal, not a setting. */
export interface PreparedDatabase {
  databaseUrl: string
  /** The same without a connection pool in between. */
  directUrl: string
  /** A standby of it, if there is one to read from. */
  readUrl?: string
  secret: string
  /** Newest first. */
  keys: readonly string[]
  /** Migrations that this version needs before it can serve. */
  migrations: string[]
}

/** A runtime with its prepared database, and the log of outages. */
export interface OpenedRuntime {
  runtime: Runtime
  prepared: PreparedDatabase
  outages: OutageLog
}

export const DATABASE_UNREACHABLE = 'the database cannot be reached'
/** Reports and exports are few and long. */
const STANDBY_CONNECTIONS = 4
const CONNECTION_REFUSED = 'the database refuses a connection'

export function openRuntime(env: Env, limits: Limits, max: number, onWritten?: (siteId: string) => void): OpenedRuntime {
  const prepared = JSON.parse(process.env['PARLEY_PREPARED'] ?? 'null') as PreparedDatabase | null
  if (!prepared) throw new Error('Start Parley with `npm start` or `npm run dev`: the database is not prepared.')
  const log = createLogger(env.LOG_LEVEL)
  const outages = new OutageLog(log)
  const runtime = { env, secret: prepared.secret, keys: prepared.keys, log, now: () => new Date() }
  const standby = prepared.readUrl ? openStandby(prepared.readUrl, limits) : {}
  return { runtime: { ...runtime, ...openDatabaseAndSites(prepared, outages, limits, max, onWritten), ...standby }, prepared, outages }
}

/** Who reads from a standby that is away reads from the database instead, and says so. */
const openStandby = (readUrl: string, limits: Limits) => ({
  standby: openDatabase(readUrl, { max: STANDBY_CONNECTIONS, limits, onError: () => {}, onRefused: () => {} }),
})

/** Separate connections for other work in the same process. */
export function openDatabaseAndSites(
  { databaseUrl }: PreparedDatabase,
  outages: OutageLog,
  limits: Limits,
  max: number,
  onWritten?: (siteId: string) => void,
): Pick<Runtime, 'database' | 'sites'> {
  const onError = (error: Error) => outages.note(DATABASE_UNREACHABLE, error)
  // Of a database that is starting or stopping, the pulse reports.
  const onRefused = (error: Error) => {
    if (!findSqlState(error)?.startsWith('57P')) outages.note(explainRefusedSetting(error) ?? CONNECTION_REFUSED, error)
  }
  const database = openDatabase(databaseUrl, { max, limits, onError, onRefused, ...(onWritten ? { onWritten } : {}) })
  return { database, sites: new SiteDirectory(database) }
}
