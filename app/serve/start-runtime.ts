import { setTimeout as wait } from 'node:timers/promises'
import { JOB_LIMITS, REQUEST_LIMITS } from '../server/db/client.ts'
import { explainRefusedSetting } from '../server/db/connection-fault.ts'
import { DatabaseAway } from '../server/db/database-down.ts'
import { findPrimary } from '../server/db/database-hosts.ts'
import { watchPulse } from '../server/db/database-pulse.ts'
import type { Env } from '../server/env.ts'
import { type Job, startJobs } from '../server/jobs/run-jobs.ts'
import { RememberedViewers } from '../server/auth/remembered-viewers.ts'
import { processMemory } from '../server/memory/memory-budget.ts'
import { KeptBodies } from '../server/kept-bodies.ts'
import { PublicReads } from '../server/public-reads.ts'
import { RememberedRows } from '../server/remembered-rows.ts'
import type { Metrics } from '../server/metrics/metrics.ts'
import type { Runtime } from '../server/runtime.ts'
import { DATABASE_UNREACHABLE, openRuntime, openDatabaseAndSites } from './open-runtime.ts'
import { watchContent } from './watch-content.ts'

export interface StartedRuntime {
  runtime: Runtime
  migrations: readonly string[]
  stop: () => Promise<void>
}

/** Does not wait for a query that outlives its request: the database ends it. */
const CLOSE_WITHIN_MS = 2000
/** Together with the pulse and the listener for changed content, this is what `app/cli/prepare.ts` expects of one process. */
const REQUEST_CONNECTIONS = 12
const JOB_CONNECTIONS = 10

/** Opens this process's runtime and runs the jobs in it, if any, on separate connections. */
export async function startRuntime(env: Env, toRun: readonly Job[], metrics?: Metrics): Promise<StartedRuntime> {
  const viewers = new RememberedViewers()
  const forgetViewers = (siteId: string) => viewers.forget(siteId)
  const opened = openRuntime(env, REQUEST_LIMITS, REQUEST_CONNECTIONS, forgetViewers)
  const { prepared, outages } = opened
  const { changes } = opened.runtime.sites
  // The pulse goes on looking for it.
  await findPrimary(prepared.databaseUrl).catch(() => {})
  const runtime = {
    ...opened.runtime,
    publicReads: new PublicReads({ budget: processMemory, changes }),
    publicAnswers: new PublicReads({ budget: processMemory, changes, name: 'public API answers' }),
    rows: new RememberedRows(processMemory),
    bodies: new KeptBodies(processMemory),
    viewers,
  }
  const { database, sites, log } = runtime
  const ofJobs = toRun.length > 0 ? openDatabaseAndSites(prepared, outages, JOB_LIMITS, JOB_CONNECTIONS, forgetViewers) : undefined
  const pools = [database.pool, ...(ofJobs ? [ofJobs.database.pool] : [])]
  metrics?.watchPool('requests', database.pool)
  if (runtime.standby) metrics?.watchPool('standby', runtime.standby.pool)
  if (ofJobs) metrics?.watchPool('jobs', ofJobs.database.pool)
  const pulse = watchPulse(prepared.databaseUrl, {
    onFault: (error) => {
      outages.note(explainRefusedSetting(error) ?? DATABASE_UNREACHABLE, error)
      for (const pool of pools) if (error instanceof DatabaseAway) pool.leave()
    },
    onAnswer: () => {
      outages.noteEnd(DATABASE_UNREACHABLE, 'the database is back')
      for (const pool of pools) pool.comeBack()
    },
  })
  const stopRereading = sites.keepUpToDate()
  const watch = watchContent(prepared.directUrl, { sites, viewers }, log)
  const jobs = ofJobs && startJobs({ ...opened.runtime, ...ofJobs }, toRun, outages, metrics)
  return {
    runtime,
    migrations: prepared.migrations,
    stop: async () => {
      stopRereading()
      await jobs?.stop()
      // A connection that is still closing when the database stops reports it (57P01).
      outages.close()
      await Promise.all([watch.stop(), pulse.stop()])
      const closed = Promise.all([database.close(), runtime.standby?.close(), ofJobs?.database.close()])
      await Promise.race([closed, wait(CLOSE_WITHIN_MS, undefined, { ref: false })])
    },
  }
}
