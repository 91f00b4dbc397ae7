import { IncomingMessage } from 'node:http'
import type { ServerRequest } from 'srvx'
import { AppError, isAppError } from '../lib/app-error.ts'

/** Shorter than what the HTTP server accepts anywhere. */
const SHORT_BYTES = 64_000

const createTooLargeError = (most: number) => new AppError('too-large', { detail: { key: 'byte-limit', values: { max: most } } })

const createEndedError = () => new AppError('bad-request', { detail: { key: 'body-ended' } })

/**
 * Reads a request's body, and not a byte more than allowed.
 * @throws {AppError} `too-large`, before anything is read if the request declares its length; `bad-request` if the body breaks off
 */
export async function readBoundedBody(request: Request, most: number): Promise<Buffer> {
  if (isDeclaredLarger(request, most)) throw createTooLargeError(most)
  const incoming = findShortBody(request, most)
  if (incoming) return readIncoming(incoming)
  if (!request.body) return Buffer.alloc(0)
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw isTooLarge(error) ? createTooLargeError(most) : createEndedError()
    })
    if (done) return Buffer.concat(chunks, length)
    length += value.byteLength
    if (length > most) {
      await reader.cancel().catch(() => undefined)
      throw createTooLargeError(most)
    }
    chunks.push(value)
  }
}

/** Node's own stream of a body whose declared length is short: Node reads no more than that, and a web stream would cost more than reading it. */
function findShortBody(request: ServerRequest, most: number): IncomingMessage | undefined {
  const incoming = request.runtime?.node?.req
  if (!(incoming instanceof IncomingMessage) || incoming.readableDidRead) return undefined
  return Number(incoming.headers['content-length']) <= Math.min(most, SHORT_BYTES) ? incoming : undefined
}

async function readIncoming(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
  } catch {
    throw createEndedError()
  }
  return Buffer.concat(chunks)
}

/** The same for webhooks, which are answered with a bare status. */
export async function readHookBody(request: Request, most: number): Promise<string | Response> {
  try {
    return (await readBoundedBody(request, most)).toString()
  } catch (error) {
    if (!isAppError(error)) throw error
    return new Response(null, { status: error.status })
  }
}

export const isDeclaredLarger = ({ headers }: Request, most: number): boolean => Number(headers.get('content-length') ?? 0) > most

/** The HTTP server enforces its own limit. */
const isTooLarge = (error: unknown) => error instanceof Error && 'statusCode' in error && error.statusCode === 413
