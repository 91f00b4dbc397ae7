import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Listener = (url: URL, response: ServerResponse, request: IncomingMessage) => void

export async function startListener(listener: Listener): Promise<{ origin: string; close: () => void }> {
  const server = createServer((request, response) => {
    listener(new URL(request.url ?? '/', 'http://portal.example'), response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const sendJson = (response: ServerResponse, body: unknown, status = 200): void =>
  void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
