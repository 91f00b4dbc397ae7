import type { IncomingMessage, ServerResponse } from 'node:http'
import { setInterval as repeat } from 'node:timers/promises'

/** What the proxies of `parley example` let through. */
const MAX_DRAINED_BYTES = 69_000_000
/** How long a client may go on sending after its answer. */
const LINGER_MS = 30_000
const LOOK_AGAIN_MS = 50

/**
 * Ends a request's connection after the answer, if the answer is sent before the body was read to its end: nobody could tell where the next
 * request begins, and it might wait forever. The client is told so. Closing while it still sends would reset the connection, and a proxy in
 * front would answer 502 instead of passing on our answer, so what still comes is read and discarded first, for a while.
 */
export function closeUnlessRead(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request)) return
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete) {
      response.shouldKeepAlive = false
      // Node calls this after the answer, where it ends a connection.
      request.socket.destroySoon = () => void drainThenClose(request)
    }
    return writeHead(...head)
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

async function drainThenClose(request: IncomingMessage): Promise<void> {
  const { socket } = request
  const [read, until] = [socket.bytesRead, performance.now() + LINGER_MS]
  socket.end()
  request.on('error', () => undefined).resume()
  for await (const _ of repeat(LOOK_AGAIN_MS, undefined, { ref: false })) {
    if (request.complete || socket.destroyed || socket.bytesRead - read > MAX_DRAINED_BYTES || performance.now() > until) break
  }
  socket.destroy()
}
