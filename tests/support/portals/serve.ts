import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll } from 'vitest'
import { startListener, type Listener } from './listen.ts'

export { sendJson } from './listen.ts'

export interface PortalServer {
  origin: string
  /** Path and query of every request, in order. */
  asked: string[]
  /** Headers of the last request. */
  headers: () => IncomingMessage['headers']
  /** While set, every response says that the portal is down, to be retried after an hour. */
  down: boolean
  /** Holds requests to matching addresses until they are released. */
  hold: (holds: (path: string) => boolean) => void
  letGo: () => void
}

/** A portal on this machine, until the file's tests are over. */
export async function servePortal(listener: Listener): Promise<PortalServer> {
  const asked: string[] = []
  let last: IncomingMessage['headers'] = {}
  let holds: (path: string) => boolean = () => false
  const held: (() => void)[] = []
  const portal: PortalServer = {
    origin: '',
    asked,
    headers: () => last,
    down: false,
    hold: (next) => void (holds = next),
    letGo: () => {
      holds = () => false
      for (const go of held.splice(0)) go()
    },
  }
  const { origin, close } = await startListener((url, response, request) => {
    asked.push(request.url ?? '')
    last = request.headers
    if (portal.down) return void response.writeHead(503, { 'retry-after': '3600' }).end()
    if (holds(request.url ?? '')) return void held.push(() => listener(url, response, request))
    listener(url, response, request)
  })
  afterAll(close)
  portal.origin = origin
  return portal
}

export const sendNotFound = (response: ServerResponse): void =>
  void response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><title>404</title>')
