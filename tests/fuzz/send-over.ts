import { type Agent, type IncomingHttpHeaders, request } from 'node:http'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Longer than any answer takes on a busy machine. What takes longer hangs. */
const HANGS_AFTER_MS = 30_000

/** Sends a request over connections that stay open. @throws if no answer comes in time */
export function sendOver(
  agent: Agent,
  port: number,
  { method, path, headers, body }: { method: string; path: string; headers: Record<string, string>; body: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { ...headers, ...(body || method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {}) }
    const sent = request({ host: '127.0.0.1', port, path, method, agent, headers: all, timeout: HANGS_AFTER_MS }, (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString() }),
      )
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${HANGS_AFTER_MS / 1000} s`)))
    sent.on('error', reject)
    sent.end(body)
  })
}
