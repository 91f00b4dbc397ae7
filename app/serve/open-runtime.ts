import { openDatabase } from '../server/db/client.ts'
import type { Env } from '../server/env.ts'
import { createLogger, describeError } from '../server/log.ts'
import type { Runtime } from '../server/runtime.ts'
import { SiteDirectory } from '../server/site-directory.ts'

/** How the command line tells a web process where the prepared database is. Internal, not a setting. */
export interface Prepared {
  databaseUrl: string
  secret: string
  /** The newest first. */
  keys: readonly string[]
  /** Steps the database must have behind it for this version to serve. */
  migrations: string[]
}

/** A runtime on the database that the command line prepared, without jobs. */
export function openRuntime(env: Env): { runtime: Runtime; prepared: Prepared } {
  const prepared = JSON.parse(process.env['PARLEY_PREPARED'] ?? 'null') as Prepared | null
  if (!prepared) throw new Error('Start Parley with `npm start` or `npm run dev`: the database is not prepared.')
  const log = createLogger(env.LOG_LEVEL)
  const database = openDatabase(prepared.databaseUrl, { onError: (error) => log.warn('database connection lost', describeError(error)) })
  const sites = new SiteDirectory(database)
  return { runtime: { env, secret: prepared.secret, keys: prepared.keys, database, sites, log, now: () => new Date() }, prepared }
}
