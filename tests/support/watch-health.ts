import { Agent, request } from 'node:http'
import { workerData } from 'node:worker_threads'

/**
 * A thread that asks `/healthz` over and over on one connection, so that nothing but the product delays the answer. In `shared`: whether it is
 * over, how often it has been answered, and how many microseconds an answer took at most since somebody last set that to zero.
 */
const { port, shared } = workerData as { port: number; shared: Int32Array }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const ask = () =>
  new Promise<void>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: '/healthz', agent }, (response) => {
      response.resume().once('end', resolve).once('error', reject)
    })
      .once('error', reject)
      .end()
  })
while (Atomics.load(shared, 0) === 0) {
  const askedAt = performance.now()
  await ask()
  const took = Math.round((performance.now() - askedAt) * 1000)
  if (took > Atomics.load(shared, 2)) Atomics.store(shared, 2, took)
  Atomics.add(shared, 1, 1)
}
agent.destroy()
