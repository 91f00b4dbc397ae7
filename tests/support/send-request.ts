import { once } from 'node:events'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

export interface RawAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** As received. */
  body: Buffer
  /** Decompressed. */
  text: string
}

/**
 * Sends one request to the product on this machine over a new connection, so that any of its processes may answer. Unlike `fetch` it can
 * set the Host header: not every system resolves names below localhost.
 * @param open a connection to send it over instead
 */
export function sendRequest(
  port: number,
  path: string,
  headers: OutgoingHttpHeaders = {},
  method = 'GET',
  body: string | Buffer = '',
  open?: Socket,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const over = open ? { createConnection: () => open } : { agent: false }
    const sent = request({ host: '127.0.0.1', port, path, method, headers, ...over }, (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const all = Buffer.concat(chunks)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: all,
          text: decompress(all, response.headers['content-encoding']).toString(),
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Connections to the product that are open and have sent nothing, so that what is sent over them arrives at the same time. */
export function openConnections(port: number, count: number): Promise<Socket[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      return socket
    }),
  )
}

function decompress(body: Buffer, encoding: string | undefined): Buffer {
  if (body.length === 0) return body
  return encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
}
