import { setTimeout as wait } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { createTurnRecorder, type RecordJobTurn } from './record-job-turns.ts'
import { isDatabaseDown } from '../db/database-down.ts'
import { describeError } from '../log.ts'
import { toError, OutageLog } from '../outage-log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { traceRoot } from '../tracing/tracing.ts'
import type { Runtime } from '../runtime.ts'
import { QUEUE_SCHEMA } from './queue-schema.ts'

export interface Job {
  name: string
  /** Interval in seconds, across all processes together. */
  everySeconds: number
  /** `ending` aborts when the process stops: long work that may be interrupted should check it. */
  run: (runtime: Runtime, ending: AbortSignal) => Promise<unknown>
}

const START_AGAIN_AFTER_MS = 2000
const STOP_WITHIN_MS = 8000
const EXPIRES_SECONDS = 600
/** A run whose process says nothing for this long has died with it. */
const LEASE_SECONDS = 30
/** How often one of the processes looks for such runs, and for those that expired. */
const MONITOR_SECONDS = 15
const KEPT_SECONDS = 3600
const QUEUE = {
  retryLimit: 0,
  heartbeatSeconds: LEASE_SECONDS,
  expireInSeconds: EXPIRES_SECONDS,
  retentionSeconds: KEPT_SECONDS,
  deleteAfterSeconds: KEPT_SECONDS,
}

/**
 * Runs the jobs in this process. Every process enqueues each job when it is due, the queue keeps only one of them, and any free process
 * runs it. A failed run is logged, and the job runs again at its next interval.
 */
export function startJobs(
  runtime: Runtime,
  jobs: readonly Job[],
  outages = new OutageLog(runtime.log),
  metrics?: Metrics,
): { stop: () => Promise<void> } {
  const ending = new AbortController()
  const boss = new PgBoss({
    db: { executeSql: (text, values) => runtime.database.pool.query(text, values) },
    schema: QUEUE_SCHEMA,
    createSchema: false,
    migrate: false,
    schedule: false,
    monitorIntervalSeconds: MONITOR_SECONDS,
    superviseIntervalSeconds: MONITOR_SECONDS,
    reindex: false,
    monitorVacuum: false,
  })
  boss.on('error', (error) => logQueueFault('the job queue failed', error))
  /** The queue polls several times a second: a fault is logged once a minute, and a database outage only by the database's own log line. */
  const logQueueFault = (what: string, thrown: unknown) => {
    if (isDatabaseDown(toError(thrown))) runtime.log.debug(`${what}: database unreachable`)
    else outages.note(what, thrown)
  }
  const timers: NodeJS.Timeout[] = []
  const record = createTurnRecorder(runtime)
  const note: RecordJobTurn = (job, tookMs, wentWell) => {
    metrics?.noteJobTurn(job.name, tookMs / 1000, wentWell)
    return record(job, tookMs, wentWell)
  }
  const offerTurn = (job: Job) => {
    boss
      .send(job.name, null, { singletonSeconds: job.everySeconds })
      .catch((error: unknown) => logQueueFault(`job ${job.name} could not be offered`, error))
  }
  const startQueue = async () => {
    await boss.start()
    for (const job of jobs) {
      await boss.createQueue(job.name, QUEUE)
      // A queue that is there keeps what it was made with.
      await boss.updateQueue(job.name, QUEUE)
      await boss.work(job.name, { pollingIntervalSeconds: Math.min(Math.max(job.everySeconds / 5, 1), 30) }, () =>
        runTurn(runtime, job, ending.signal, note),
      )
      offerTurn(job)
      timers.push(setInterval(offerTurn, job.everySeconds * 1000, job))
    }
  }
  const beginning = (async () => {
    while (!ending.signal.aborted) {
      try {
        return await startQueue()
      } catch (error) {
        logQueueFault('jobs could not be started', error)
        await wait(START_AGAIN_AFTER_MS, undefined, { signal: ending.signal }).catch(() => {})
      }
    }
  })()
  return {
    stop: async () => {
      ending.abort()
      await beginning
      for (const timer of timers) clearInterval(timer)
      await boss
        .stop({ graceful: true, timeout: STOP_WITHIN_MS, close: false })
        .catch((error: unknown) => logQueueFault('the job queue failed', error))
    },
  }
}

async function runTurn(runtime: Runtime, job: Job, ending: AbortSignal, note: RecordJobTurn): Promise<void> {
  const began = performance.now()
  const measureElapsedMs = () => Math.round(performance.now() - began)
  try {
    await traceRoot(`job ${job.name}`, () => job.run(runtime, ending))
  } catch (error) {
    logJobFault(runtime, `job ${job.name} failed`, error)
    await note(job, measureElapsedMs(), false)
    throw new Error(`${job.name} failed`, { cause: error })
  }
  await note(job, measureElapsedMs(), true)
}

function logJobFault(runtime: Runtime, what: string, error: unknown): void {
  if (isDatabaseDown(error)) runtime.log.debug(`${what}: database unreachable`)
  else runtime.log.error(what, describeError(error))
}
