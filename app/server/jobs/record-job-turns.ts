import { sql } from 'drizzle-orm'
import { jobTurns } from '../db/schema/jobs.ts'
import type { Runtime } from '../runtime.ts'
import type { Job } from './run-jobs.ts'

/** Records how a job run ended, for the platform's administrators. Never fails. */
export type RecordJobTurn = (job: Job, tookMs: number, wentWell: boolean) => Promise<void>

/** Successful runs are recorded no more often than this. */
const RECORD_AGAIN_AFTER_MS = 20_000

export function createTurnRecorder(runtime: Runtime): RecordJobTurn {
  const wellSince = new Map<string, number>()
  return async ({ name, everySeconds }, tookMs, wentWell) => {
    const now = runtime.now()
    if (wentWell && now.getTime() - (wellSince.get(name) ?? -Infinity) < RECORD_AGAIN_AFTER_MS) return
    const ended = wentWell ? { doneAt: now, failures: 0 } : { failedAt: now, failures: sql`${jobTurns.failures} + 1` }
    try {
      await runtime.database.global
        .insert(jobTurns)
        .values({ name, everySeconds, tookMs, ...ended, failures: wentWell ? 0 : 1 })
        .onConflictDoUpdate({ target: jobTurns.name, set: { everySeconds, tookMs, ...ended } })
      if (wentWell) wellSince.set(name, now.getTime())
      else wellSince.delete(name)
    } catch {
      // If the database is unreachable, the job's own error was logged already.
    }
  }
}
