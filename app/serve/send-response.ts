import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { findWholeAnswer } from '../server/whole-response.ts'
import { chooseEncoding, type Encoding, isCompressible } from './encoding.ts'

const STREAM_QUALITY = 4

interface SendOptions {
  /** Sent unless the response has its own. */
  headers: Record<string, string>
  compress: boolean
}

/**
 * Sends a fetch response, compressed if that is safe and useful. A response for a signed-in person that may repeat part of the request is
 * not compressed, because its compressed length could reveal a secret (BREACH).
 */
export async function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
  options: SendOptions,
): Promise<void> {
  if (sendWhole(request, response, answer, options)) return
  const { encoding, headers } = prepareHeaders(request, answer, options)
  response.writeHead(answer.status, headers)
  if (!answer.body || request.method === 'HEAD') {
    await answer.body?.cancel()
    response.end()
    return
  }
  const source = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>)
  // If the client is already gone, the pipeline ends at once and no longer listens to the source: a later error there, such as an aborted
  // rendering, would crash the process.
  source.on('error', () => {})
  if (encoding === 'identity') return pipeline(source, response)
  return pipeline(source, createCompression(encoding), response)
}

/** @returns false if the body is not ready, or has to be compressed */
function sendWhole(request: IncomingMessage, response: ServerResponse, answer: Response, { headers, compress }: SendOptions): boolean {
  const whole = findWholeAnswer(answer)
  if (!whole || (compress && chooseEncoding(request.headers['accept-encoding']) !== 'identity')) return false
  const vary = whole.headers['vary']
  const own = compress ? { ...whole.headers, vary: vary ? `${vary}, Accept-Encoding` : 'Accept-Encoding' } : whole.headers
  response.writeHead(answer.status, { ...headers, ...own }).end(whole.body)
  return true
}

function prepareHeaders(request: IncomingMessage, answer: Response, options: SendOptions): { encoding: Encoding; headers: string[] } {
  const headers: string[] = []
  for (const [name, value] of Object.entries(options.headers)) if (!answer.headers.has(name)) headers.push(name, value)
  const type = answer.headers.get('content-type')
  const worth = options.compress && answer.body !== null && isCompressible(type) && !answer.headers.has('content-encoding')
  const encoding = worth ? chooseEncoding(request.headers['accept-encoding']) : 'identity'
  for (const [name, value] of answer.headers) {
    if (name === 'set-cookie' || (encoding !== 'identity' && name === 'content-length')) continue
    headers.push(name, worth && name === 'vary' ? `${value}, Accept-Encoding` : value)
  }
  for (const cookie of answer.headers.getSetCookie()) headers.push('set-cookie', cookie)
  if (worth && !answer.headers.has('vary')) headers.push('vary', 'Accept-Encoding')
  if (encoding !== 'identity') headers.push('content-encoding', encoding)
  return { encoding, headers }
}

/** What is written reaches the reader at once. */
const createCompression = (encoding: Exclude<Encoding, 'identity'>) =>
  encoding === 'br'
    ? createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: { [constants.BROTLI_PARAM_QUALITY]: STREAM_QUALITY } })
    : createGzip({ flush: constants.Z_SYNC_FLUSH, level: 5 })
