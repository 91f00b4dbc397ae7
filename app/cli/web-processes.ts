import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { StartupFault } from '../server/startup-fault.ts'

/** Messages from a web process to its parent. */
export type WebMessage = { kind: 'listening' } | { kind: 'failed'; sentence: string; code: string | undefined }

const STOP_WITHIN_MS = 15_000
const PAUSE_MS = 1000

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
}

/** Starts web processes that share one port and restarts any that dies. */
export function startWebProcesses(count: number, say: (line: string) => void): WebProcesses {
  cluster.setupPrimary({ exec: fileURLToPath(new URL('./web-process.ts', import.meta.url)) })
  let stopping = false
  const serving = new Set<number>()
  const stop = async () => {
    stopping = true
    await Promise.all(Object.values(cluster.workers ?? {}).flatMap((worker) => (worker ? [stopWorker(worker)] : [])))
  }
  cluster.on('message', (worker, message: WebMessage) => {
    if (message.kind === 'listening') serving.add(worker.id)
  })
  cluster.on('exit', (worker) => {
    if (stopping || !serving.delete(worker.id)) return
    say(`The web process ${worker.process.pid} died: starting another.`)
    const restartWorker = () => {
      if (!stopping) startWorker().catch(() => setTimeout(restartWorker, PAUSE_MS))
    }
    restartWorker()
  })
  return { listening: Promise.all(Array.from({ length: count }, startWorker)), stop }
}

/** @throws the error that kept the process from listening */
function startWorker(): Promise<void> {
  const worker = cluster.fork()
  return new Promise((resolve, reject) => {
    worker.on('message', (message: WebMessage) => {
      if (message.kind === 'listening') resolve()
      if (message.kind === 'failed')
        reject(message.code ? Object.assign(new Error(message.sentence), { code: message.code }) : new StartupFault(message.sentence))
    })
    worker.once('exit', () => reject(new StartupFault('A web process ended while it started.')))
  })
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  if (worker.isConnected()) worker.send('stop')
  await Promise.race([ended, wait(STOP_WITHIN_MS, undefined, { ref: false }).then(() => worker.process.kill('SIGKILL'))])
  await ended
}
