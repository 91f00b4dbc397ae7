import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export interface RecordedRequest {
  at: number
  method: string
  /** Path without the query. */
  path: string
  query: URLSearchParams
  headers: Record<string, string | string[] | undefined>
  /** Parsed if it is JSON, else its text. */
  body: unknown
}

export interface RecorderAnswer {
  status?: number
  type?: string
  body?: string
}

export interface Recorder {
  origin: string
  arrived: RecordedRequest[]
  /** Forgets earlier requests, at the start of a test. */
  clear: () => void
  /** Resolves with the requests whose path matches, once there are `count` of them. */
  wait: (path: RegExp, count?: number) => Promise<RecordedRequest[]>
}

const PATIENCE_MS = 20_000

/** A fake third party on loopback that records all requests; 200 with {} by default. Start it at the top of a test file. */
export async function startRecorder(answer: (request: RecordedRequest) => RecorderAnswer | undefined = () => undefined): Promise<Recorder> {
  const arrived: RecordedRequest[] = []
  const server = createServer((request, response) => {
    const at = Date.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-allow-methods': '*' }
      if (request.method === 'OPTIONS') return response.writeHead(204, cors).end()
      const url = new URL(request.url ?? '/', 'http://recorder')
      const { method = 'GET', headers } = request
      const body = parseBody(Buffer.concat(chunks).toString())
      const kept: RecordedRequest = { at, method, path: url.pathname, query: url.searchParams, headers, body }
      arrived.push(kept)
      const { status = 200, type = 'application/json', body: answered = '{}' } = answer(kept) ?? {}
      return response.writeHead(status, { ...cors, 'content-type': type }).end(answered)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const matching = (path: RegExp) => arrived.filter((request) => path.test(request.path))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    clear: () => void arrived.splice(0),
    wait: async (path, count = 1) => {
      const deadline = Date.now() + PATIENCE_MS
      while (matching(path).length < count) {
        if (Date.now() > deadline) {
          throw new Error(`${count} requests for ${path.source} were expected; came: ${arrived.map((request) => request.path).join(', ')}`)
        }
        await new Promise((done) => setTimeout(done, 50))
      }
      return matching(path)
    },
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
