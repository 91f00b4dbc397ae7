import { IncomingMessage } from 'node:http'
import type { ServerRequest } from 'srvx'
import { AppError, isAppError } from '../lib/app-error.ts'

const createTooLargeError = (most: number) => new AppError('too-large', { detail: { key: 'byte-limit', values: { max: most } } })

const createEndedError = () => new AppError('bad-request', { detail: { key: 'body-ended' } })

/**
 * Reads a request's body, and not a byte more than allowed.
 * @throws {AppError} `too-large`, before anything is read if the request declares its length; `bad-request` if the body breaks off
 */
export async function readBoundedBody(request: Request, most: number): Promise<Buffer> {
  if (isDeclaredLarger(request, most)) throw createTooLargeError(most)
  return collectChunks(openBody(request), most)
}

/** The same for a request of Node's own. */
export async function collectBody(incoming: IncomingMessage, most: number): Promise<Buffer> {
  return collectChunks(openIncoming(incoming), most)
}

async function collectChunks(body: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      length += chunk.byteLength
      if (length > most) throw createTooLargeError(most)
      chunks.push(chunk)
    }
  } catch (error) {
    if (isAppError(error)) throw error
    throw isTooLarge(error) ? createTooLargeError(most) : createEndedError()
  }
  return Buffer.concat(chunks, length)
}

/**
 * A request's body as it arrives, if possible from Node's own stream, which costs less than a web stream. Code that stops reading halfway
 * leaves the connection open, because the response has to go over it: see `closeUnlessRead`.
 */
export function openBody(request: ServerRequest): AsyncIterable<Uint8Array> {
  const incoming = request.runtime?.node?.req
  if (incoming instanceof IncomingMessage && !incoming.readableDidRead) return openIncoming(incoming)
  return (request.body as AsyncIterable<Uint8Array> | null) ?? openNothing()
}

const openIncoming = (incoming: IncomingMessage): AsyncIterable<Buffer> => incoming.iterator({ destroyOnReturn: false })

// oxlint-disable-next-line no-empty-function -- the body of a request without one
async function* openNothing(): AsyncGenerator<Uint8Array> {}

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
