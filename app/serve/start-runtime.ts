import { setTimeout as wait } from 'node:timers/promises'
import type { Env } from '../server/env.ts'
import { JOBS } from '../server/jobs/registry.ts'
import { startJobs } from '../server/jobs/run-jobs.ts'
import type { Runtime } from '../server/runtime.ts'
import { openRuntime } from './open-runtime.ts'
import { watchContent } from './watch-content.ts'

export interface Started {
  runtime: Runtime
  migrations: readonly string[]
  stop: () => Promise<void>
}

/** A query that outlives its request is not waited for: the database ends it. */
const CLOSE_WITHIN_MS = 2000

/** Opens this process's runtime and runs the jobs in it. */
export async function startRuntime(env: Env): Promise<Started> {
  const { runtime, prepared } = openRuntime(env)
  const { database, sites, log } = runtime
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
