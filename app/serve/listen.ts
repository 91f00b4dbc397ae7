import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Env } from '../server/env.ts'

const FINISH_WITHIN_MS = 10_000
const SWEEP_MS = 50

/**
 * Whether each of several processes listens with a socket of its own, over which the system spreads connections. From a shared socket, the
 * same process would take nearly all that stay open, such as those of a proxy. Only Linux spreads them evenly.
 */
const spreadsConnections = ({ WEB_PROCESSES }: Env): boolean => WEB_PROCESSES > 1 && process.platform === 'linux'

/** @returns the port */
export function startListening(server: Server, env: Env): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: env.PORT, host: env.HOST, reusePort: spreadsConnections(env) }, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(address && typeof address === 'object' ? address.port : env.PORT)
    })
  })
}

/** Accepts nothing more, and closes each connection once its request is answered. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  // Connections become idle, and can be closed, once their request is answered.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  await Promise.race([closed, wait(FINISH_WITHIN_MS, undefined, { ref: false })])
  clearInterval(sweep)
  server.closeAllConnections()
  await closed
}
