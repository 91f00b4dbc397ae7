import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ProcessMetrics } from '../server/metrics/metrics.ts'
import type { Env } from '../server/env.ts'
import type { ProcessRole } from '../server/process-role.ts'
import { StartupFault } from '../server/startup-fault.ts'

/** Messages from a web process to its parent. */
export type WebMessage =
  | { kind: 'listening' }
  | { kind: 'failed'; sentence: string; code: string | undefined }
  | { kind: 'metrics'; metrics: ProcessMetrics }
/** Messages from the parent to a web process. */
export type WebRequest = 'stop' | 'metrics'

/** After the time for which they still answer (`DRAIN_SECONDS`). */
const STOP_WITHIN_MS = 15_000
const PAUSE_MS = 1000
const METRICS_WITHIN_MS = 2000

/**
 * Each process accepts connections itself. If this process handed them out, a connection would stay open here unanswered
 * whenever a worker is killed before it acknowledges receipt.
 */
cluster.schedulingPolicy = cluster.SCHED_NONE

export interface WebProcesses {
  /** Resolves once all of them listen. */
  listening: Promise<unknown>
  /** May be called at any time, also while they start. */
  stop: () => Promise<void>
  /** The metrics of those that answer in time. */
  loadMetrics: () => Promise<ProcessMetrics[]>
}

/** Starts web processes that share one port and restarts any that dies. */
export function startWebProcesses(
  { WEB_PROCESSES, DRAIN_SECONDS }: Env,
  role: ProcessRole | undefined,
  say: (line: string) => void,
): WebProcesses {
  const args = role ? ['--only', role] : []
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./web-process.ts', import.meta.url)), args })
  let stopping = false
  /** The place of each by its worker's id: one that is started for another takes its place. */
  const places = new Map<number, number>()
  const serving = new Set<number>()
  const stop = async () => {
    stopping = true
    await Promise.all(
      Object.values(cluster.workers ?? {}).flatMap((worker) => (worker ? [stopWorker(worker, DRAIN_SECONDS * 1000 + STOP_WITHIN_MS)] : [])),
    )
  }
  const startAt = (place: number) => {
    const worker = cluster.fork({ PARLEY_PROCESS: `web-${place}` })
    places.set(worker.id, place)
    return waitUntilListening(worker)
  }
  cluster.on('message', (worker, message: WebMessage) => {
    if (message.kind === 'listening') serving.add(worker.id)
  })
  cluster.on('exit', (worker) => {
    if (stopping || !serving.delete(worker.id)) return
    say(`The web process ${worker.process.pid} died: starting another.`)
    const place = places.get(worker.id) ?? 0
    places.delete(worker.id)
    const restartWorker = () => {
      if (!stopping) startAt(place).catch(() => setTimeout(restartWorker, PAUSE_MS))
    }
    restartWorker()
  })
  return {
    listening: Promise.all(Array.from({ length: WEB_PROCESSES }, (_, at) => startAt(at + 1))),
    stop,
    loadMetrics: async () => {
      const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
      const loaded = await Promise.all(workers.map(loadWorkerMetrics))
      return loaded.filter((metrics) => metrics !== undefined)
    },
  }
}

/** @throws the error that kept the process from listening */
function waitUntilListening(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: WebMessage) => {
      if (message.kind === 'listening') resolve()
      if (message.kind === 'failed')
        reject(message.code ? Object.assign(new Error(message.sentence), { code: message.code }) : new StartupFault(message.sentence))
    })
    worker.once('exit', () => reject(new StartupFault('A web process ended while it started.')))
  })
}

async function loadWorkerMetrics(worker: Worker): Promise<ProcessMetrics | undefined> {
  if (!worker.isConnected()) return undefined
  let takeAnswer: ((message: WebMessage) => void) | undefined
  const answered = new Promise<ProcessMetrics>((resolve) => {
    takeAnswer = (message) => message.kind === 'metrics' && resolve(message.metrics)
    worker.on('message', takeAnswer)
  })
  worker.send('metrics' satisfies WebRequest)
  try {
    return await Promise.race([answered, wait(METRICS_WITHIN_MS, undefined, { ref: false })])
  } finally {
    if (takeAnswer) worker.off('message', takeAnswer)
  }
}

async function stopWorker(worker: Worker, withinMs: number): Promise<void> {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  if (worker.isConnected()) worker.send('stop' satisfies WebRequest)
  await Promise.race([ended, wait(withinMs, undefined, { ref: false }).then(() => worker.process.kill('SIGKILL'))])
  await ended
}
