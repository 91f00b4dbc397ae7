import { parentPort, workerData } from 'node:worker_threads'
import { sendRequest } from './send-request.ts'

/** A thread that reads one page over and over until `over` is set, then sends how many milliseconds each reading took: nothing else delays it. */
const { port, host, path, over } = workerData as { port: number; host: string; path: string; over: Int32Array }
const times: number[] = []
while (Atomics.load(over, 0) === 0) {
  const askedAt = performance.now()
  const { status } = await sendRequest(port, path, { host })
  if (status !== 200) throw new Error(`The page was answered with ${status}`)
  times.push(performance.now() - askedAt)
}
// oxlint-disable-next-line require-post-message-target-origin -- threads have no origin
parentPort?.postMessage(times)
