import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { createTurnRecorder, type RecordJobTurn } from './record-job-turns.ts'
import { isDatabaseDown } from '../db/database-down.ts'
import { jobTurns } from '../db/schema/jobs.ts'
import { describeError } from '../log.ts'
import { OutageLog } from '../outage-log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { traceRoot } from '../tracing/tracing.ts'
import type { Runtime } from '../runtime.ts'

export interface Job {
  name: string
  /** Interval in seconds, across all processes together. */
  everySeconds: number
  /** `ending` aborts when the process stops: long work that may be interrupted should check it. */
  run: (runtime: Runtime, ending: AbortSignal) => Promise<unknown>
}

/** After this, a run counts as failed and the job may start again, whatever has become of it. */
export const MAX_TURN_MS = 600_000
/** How often each process looks for jobs that are due. */
const LOOK_EVERY_MS = 1000
/** Jobs that one process starts at a time: after a long stop all of them are due. */
const STARTED_AT_ONCE = 8
const STOP_WITHIN_MS = 8000

/**
 * Runs the jobs in this process. Every process looks for jobs that are due, and the one that moves a job's `due_at` runs it. While a run lasts,
 * its process does not start the same job again. A failed run is logged. After it, as after one whose process died, the job runs again at its interval.
 */
export function startJobs(
  runtime: Runtime,
  jobs: readonly Job[],
  outages = new OutageLog(runtime.log),
  metrics?: Metrics,
): { stop: () => Promise<void> } {
  const ending = new AbortController()
  const running = new Map<string, Promise<void>>()
  const record = createTurnRecorder(runtime)
  const note: RecordJobTurn = (job, tookMs, wentWell) => {
    metrics?.noteJobTurn(job.name, tookMs / 1000, wentWell)
    return record(job, tookMs, wentWell)
  }
  const startDueJobs = async () => {
    const { due, areListed } = await claimDueJobs(
      runtime,
      jobs.filter(({ name }) => !running.has(name)),
    )
    // The table is not logged: a database that crashed, and a standby that took over, begin with an empty one.
    if (!areListed) await listJobs(runtime, jobs)
    for (const job of due) {
      running.set(
        job.name,
        runTurn(runtime, job, ending.signal, note).finally(() => running.delete(job.name)),
      )
    }
  }
  const looking = (async () => {
    let listed = false
    while (!ending.signal.aborted) {
      try {
        if (!listed) await listJobs(runtime, jobs)
        listed = true
        await startDueJobs()
      } catch (error) {
        // A fault is logged once a minute, and a database outage only by the database's own log line.
        if (isDatabaseDown(error)) runtime.log.debug('jobs could not be started: database unreachable')
        else outages.note('jobs could not be started', error)
      }
      await wait(LOOK_EVERY_MS, undefined, { signal: ending.signal }).catch(() => {})
    }
  })()
  return {
    stop: async () => {
      ending.abort()
      await looking
      await Promise.race([Promise.all(running.values()), wait(STOP_WITHIN_MS, undefined, { ref: false })])
    },
  }
}

/** Makes new jobs due now, and moves the others' next run if their interval has become shorter. */
async function listJobs({ database }: Runtime, jobs: readonly Job[]): Promise<void> {
  const soonest = sql`least(coalesce(${jobTurns.dueAt}, now()), now() + excluded.every_seconds * interval '1 second')`
  await database.global
    .insert(jobTurns)
    .values(jobs.map(({ name, everySeconds }) => ({ name, everySeconds, dueAt: sql`now()` })))
    .onConflictDoUpdate({ target: jobTurns.name, set: { everySeconds: sql`excluded.every_seconds`, dueAt: soonest } })
}

/** @returns those of the jobs that are due and that no other process takes, longest due first, and whether the table has them all */
async function claimDueJobs({ database }: Runtime, jobs: readonly Job[]): Promise<{ due: Job[]; areListed: boolean }> {
  if (jobs.length === 0) return { due: [], areListed: true }
  const names = sql.param(jobs.map(({ name }) => name))
  const { rows } = await database.global.execute<{ claimed: string[]; listed: number }>(
    sql`with claimed as (
          update ${jobTurns} set due_at = now() + every_seconds * interval '1 second' where name in (
            select name from ${jobTurns} where name = any(${names}::text[]) and due_at <= now()
            order by due_at, every_seconds limit ${STARTED_AT_ONCE} for update skip locked
          ) returning name
        )
        select array(select name from claimed) as claimed,
          (select count(*) from ${jobTurns} where name = any(${names}::text[]) and due_at is not null)::int as listed`,
  )
  const due = new Set(rows[0]?.claimed)
  return { due: jobs.filter(({ name }) => due.has(name)), areListed: rows[0]?.listed === jobs.length }
}

/** Never fails. */
async function runTurn(runtime: Runtime, job: Job, ending: AbortSignal, note: RecordJobTurn): Promise<void> {
  const began = performance.now()
  const ended = new AbortController()
  let wentWell = true
  try {
    const limit = wait(MAX_TURN_MS, undefined, { signal: ended.signal }).then(() =>
      Promise.reject(new Error('it took more than ten minutes')),
    )
    await Promise.race([traceRoot(`job ${job.name}`, () => job.run(runtime, ending)), limit])
  } catch (error) {
    wentWell = false
    if (isDatabaseDown(error)) runtime.log.debug(`job ${job.name} failed: database unreachable`)
    else runtime.log.error(`job ${job.name} failed`, describeError(error))
  }
  ended.abort()
  await note(job, Math.round(performance.now() - began), wentWell)
}
