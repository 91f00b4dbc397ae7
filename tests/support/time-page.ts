import { parentPort, workerData } from 'node:worker_threads'
import { sendRequest } from './send-request.ts'

/** A thread that reads one page over and over until `over` is set, then tells how long it waited at most: nothing else delays it. */
const { port, host, path, over } = workerData as { port: number; host: string; path: string; over: Int32Array }
let [longest, count] = [0, 0]
while (Atomics.load(over, 0) === 0) {
  const askedAt = performance.now()
  const { status } = await sendRequest(port, path, { host })
  if (status !== 200) throw new Error(`The page was answered with ${status}`)
  longest = Math.max(longest, performance.now() - askedAt)
  count++
}
// oxlint-disable-next-line require-post-message-target-origin -- threads have no origin
parentPort?.postMessage({ longest, count })
