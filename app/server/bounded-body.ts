import { AppError, isAppError } from '../lib/app-error.ts'

const createTooLargeError = (most: number) => new AppError('too-large', { detail: { key: 'byte-limit', values: { max: most } } })

/**
 * Reads a request's body, and not a byte more than allowed.
 * @throws {AppError} `too-large`, before anything is read if the request declares its length; `bad-request` if the body breaks off
 */
export async function readBoundedBody(request: Request, most: number): Promise<Buffer> {
  if (isDeclaredLarger(request, most)) throw createTooLargeError(most)
  if (!request.body) return Buffer.alloc(0)
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw isTooLarge(error) ? createTooLargeError(most) : new AppError('bad-request', { detail: { key: 'body-ended' } })
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
