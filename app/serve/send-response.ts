import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { chooseEncoding, isCompressible } from './encoding.ts'

const STREAM_QUALITY = 4

/**
 * Sends a fetch response, compressed where that is safe and gains: what is made for a signed-in person and may repeat what a request
 * said is sent as it is, since the length of a compressed secret tells of the secret.
 */
export async function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
  options: { headers: Record<string, string>; compress: boolean },
): Promise<void> {
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
  response.writeHead(answer.status, headers)
  if (!answer.body || request.method === 'HEAD') {
    await answer.body?.cancel()
    response.end()
    return
  }
  const source = Readable.fromWeb(answer.body as ReadableStream<Uint8Array>)
  // To a client that is gone already a pipeline ends at once, and hears no more of the source: what then breaks there, as a rendering that
  // is given up does, would end the process.
  source.on('error', () => {})
  if (encoding === 'identity') return pipeline(source, response)
  const flushed =
    encoding === 'br'
      ? createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: { [constants.BROTLI_PARAM_QUALITY]: STREAM_QUALITY } })
      : createGzip({ flush: constants.Z_SYNC_FLUSH, level: 5 })
  return pipeline(source, flushed, response)
}
