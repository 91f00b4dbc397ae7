import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '../server/db/client.ts'
import type { Env } from '../server/env.ts'
import { JOBS } from '../server/jobs/registry.ts'
import { startJobs } from '../server/jobs/run-jobs.ts'
import { createLogger, describeError } from '../server/log.ts'
import type { Runtime } from '../server/runtime.ts'
import { SiteDirectory } from '../server/site-directory.ts'
import { watchContent } from './watch-content.ts'

/** How the command line tells a web process where the prepared database is. Internal, not a setting. */
export interface Prepared {
  databaseUrl: string
  secret: string
  /** Steps the database must have behind it for this version to serve. */
  migrations: string[]
}

export interface Started {
  runtime: Runtime
  migrations: readonly string[]
  stop: () => Promise<void>
}

/** A query that outlives its request is not waited for: the database ends it. */
const CLOSE_WITHIN_MS = 2000

/** Opens this process's runtime on the database that the command line prepared. */
export async function startRuntime(env: Env): Promise<Started> {
  const prepared = JSON.parse(process.env['PARLEY_PREPARED'] ?? 'null') as Prepared | null
  if (!prepared) throw new Error('Start Parley with `npm start` or `npm run dev`: the database is not prepared.')
  const log = createLogger(env.LOG_LEVEL)
  const database = openDatabase(prepared.databaseUrl, { onError: (error) => log.warn('database connection lost', describeError(error)) })
  const sites = new SiteDirectory(database)
  const runtime: Runtime = { env, secret: prepared.secret, database, sites, log, now: () => new Date() }
  const watch = watchContent(prepared.databaseUrl, sites, log)
  const jobs = startJobs(runtime, JOBS)
  return {
    runtime,
    migrations: prepared.migrations,
    stop: async () => {
      await jobs.stop()
      await watch.stop()
      await Promise.race([database.close(), wait(CLOSE_WITHIN_MS, undefined, { ref: false })])
    },
  }
}
