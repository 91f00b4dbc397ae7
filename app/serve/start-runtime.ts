import { openDatabase } from '../server/db/client.ts'
import { readEnv } from '../server/env.ts'
import { createLogger, describeError } from '../server/log.ts'
import { runtime, setRuntime } from '../server/runtime.ts'
import { SiteDirectory } from '../server/site-directory.ts'

/** How the command line tells a web process where the prepared database is. Internal, not a setting. */
export interface Prepared {
  databaseUrl: string
  secret: string
}

let started = false

/** Opens the process's runtime once, on the database that the command line prepared. */
export async function startRuntime(): Promise<void> {
  if (started) return
  started = true
  try {
    runtime()
    return
  } catch {
    // Not set by a test: open it.
  }
  const prepared = JSON.parse(process.env['PARLEY_PREPARED'] ?? 'null') as Prepared | null
  if (!prepared) throw new Error('Start Parley with `npm start` or `npm run dev`: the database is not prepared.')
  const env = readEnv(process.env)
  const log = createLogger(env.LOG_LEVEL)
  const database = openDatabase(prepared.databaseUrl, { onError: (error) => log.warn('database connection lost', describeError(error)) })
  setRuntime({ env, secret: prepared.secret, database, sites: new SiteDirectory(database), log, now: () => new Date() })
}
