import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export interface PortalServer {
  origin: string
  /** Path and query of every request, in order. */
  asked: string[]
  /** Headers of the last request. */
  headers: () => IncomingMessage['headers']
  /** While set, nothing but that it is out of order, and for an hour at that. */
  down: boolean
}

type Listener = (url: URL, response: ServerResponse, request: IncomingMessage) => void

/** A portal on this machine, until the file's tests are over. */
export async function servePortal(listener: Listener): Promise<PortalServer> {
  const asked: string[] = []
  let last: IncomingMessage['headers'] = {}
  const portal: PortalServer = { origin: '', asked, headers: () => last, down: false }
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    last = request.headers
    if (portal.down) return void response.writeHead(503, { 'retry-after': '3600' }).end()
    listener(new URL(request.url ?? '/', 'http://portal.example'), response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  portal.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return portal
}

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))

export const notFound = (response: ServerResponse): void =>
  void response.writeHead(404, { 'content-type': 'text/html' }).end('<!doctype html><title>404</title>')
