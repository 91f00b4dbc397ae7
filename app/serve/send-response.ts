import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { findCompressedForms } from '../server/kept-bodies.ts'
import { findWholeAnswer, type WholeAnswer } from '../server/whole-response.ts'
import { acceptsGzip, chooseEncoding, compressAnswer, type Encoding, isCompressible } from './encoding.ts'
import { joinGzip } from './gzip-pieces.ts'
import { findCompressedTexts } from './page-texts.ts'

const STREAM_QUALITY = 4

interface SendOptions {
  /** Sent unless the response has its own. */
  headers: Record<string, string>
  compress: boolean
  /** A page that is sent instead of the response's own body. */
  pieces?: readonly Buffer[] | undefined
}

/**
 * Sends a fetch response, compressed if that is safe and useful. Of a response for a signed-in person that may repeat part of the request, only
 * the texts of the interface are, because the compressed length of the rest could reveal a secret (BREACH).
 */
export async function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
  options: SendOptions,
): Promise<void> {
  const whole = findWholeAnswer(answer)
  if (whole) return sendWhole(request, response, answer.status, whole, options)
  const { encoding, headers } = prepareHeaders(request, answer, options)
  if (options.pieces) {
    const page = Buffer.concat(options.pieces)
    const gzip = options.compress ? undefined : compressTexts(request, options.pieces, page)
    if (gzip) headers.push('content-encoding', 'gzip')
    const sent = gzip ?? (encoding === 'identity' ? page : await compressAnswer(page, encoding))
    response.writeHead(answer.status, [...headers, 'content-length', String(sent.length)])
    response.end(request.method === 'HEAD' ? undefined : sent)
    return
  }
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

function compressTexts(request: IncomingMessage, pieces: readonly Buffer[], page: Buffer): Buffer | undefined {
  const isWorthIt = acceptsGzip(request.headers['accept-encoding']) && pieces.some(findCompressedTexts)
  return isWorthIt ? joinGzip(pieces, page, findCompressedTexts) : undefined
}

async function sendWhole(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  { headers: own, body }: WholeAnswer,
  { headers, compress }: SendOptions,
): Promise<void> {
  if (!compress) return void response.writeHead(status, { ...headers, ...own }).end(body)
  const vary = own['vary'] ? `${own['vary']}, Accept-Encoding` : 'Accept-Encoding'
  const encoding = isCompressible(own['content-type']) ? chooseEncoding(request.headers['accept-encoding']) : 'identity'
  if (encoding === 'identity') return void response.writeHead(status, { ...headers, ...own, vary }).end(body)
  const sent = await compressWhole(body, encoding)
  const ofEncoding = { vary, 'content-encoding': encoding, 'content-length': String(sent.length) }
  response.writeHead(status, { ...headers, ...own, ...ofEncoding }).end(sent)
}

function compressWhole(body: Buffer, encoding: Exclude<Encoding, 'identity'>): Promise<Buffer> {
  const forms = findCompressedForms(body)
  const known = forms?.get(encoding)
  if (known) return known
  const compressed = compressAnswer(body, encoding)
  forms?.set(encoding, compressed)
  return compressed
}

function prepareHeaders(request: IncomingMessage, answer: Response, options: SendOptions): { encoding: Encoding; headers: string[] } {
  const headers: string[] = []
  for (const [name, value] of Object.entries(options.headers)) if (!answer.headers.has(name)) headers.push(name, value)
  const type = answer.headers.get('content-type')
  const worth = options.compress && answer.body !== null && isCompressible(type) && !answer.headers.has('content-encoding')
  const encoding = worth ? chooseEncoding(request.headers['accept-encoding']) : 'identity'
  const varies = worth || options.pieces !== undefined
  for (const [name, value] of answer.headers) {
    if (name === 'set-cookie' || (encoding !== 'identity' && name === 'content-length')) continue
    headers.push(name, varies && name === 'vary' ? `${value}, Accept-Encoding` : value)
  }
  for (const cookie of answer.headers.getSetCookie()) headers.push('set-cookie', cookie)
  if (varies && !answer.headers.has('vary')) headers.push('vary', 'Accept-Encoding')
  if (encoding !== 'identity') headers.push('content-encoding', encoding)
  return { encoding, headers }
}

/** What is written reaches the reader at once. */
const createCompression = (encoding: Exclude<Encoding, 'identity'>) =>
  encoding === 'br'
    ? createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: { [constants.BROTLI_PARAM_QUALITY]: STREAM_QUALITY } })
    : createGzip({ flush: constants.Z_SYNC_FLUSH, level: 5 })
