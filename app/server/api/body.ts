import { AppError } from '../../lib/app-error.ts'
import { pointerStep } from '../../lib/validate.ts'
import { checkContentType } from './negotiation.ts'
import { DEEPEST, MOST_BODY_BYTES } from './protocol.ts'

/** Keys that reach an object's prototype where somebody copies them carelessly. */
const DANGEROUS_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Reads a JSON request body of at most a megabyte, and not a byte more.
 * @throws {AppError} `unsupported-media-type`, `too-large`, `malformed-json`, or `bad-request` for JSON no use-case should ever see
 */
export async function readJson(request: Request): Promise<unknown> {
  checkContentType(request.headers.get('content-type'))
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') throw new AppError('unsupported-media-type', { detail: 'Send the body without a content encoding.' })
  const text = decode(await readBytes(request))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AppError('malformed-json', { pointer: '', ...(error instanceof SyntaxError ? { detail: error.message.slice(0, 200) } : {}) })
  }
  refuseHarmful(value)
  return value
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const tooLarge = () => new AppError('too-large', { detail: `At most ${MOST_BODY_BYTES} bytes.` })
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BODY_BYTES) throw tooLarge()
  if (!request.body) return new Uint8Array()
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new AppError('bad-request', { detail: 'The body broke off.' })
    })
    if (done) return Buffer.concat(chunks, length)
    length += value.byteLength
    if (length > MOST_BODY_BYTES) {
      await reader.cancel().catch(() => undefined)
      throw tooLarge()
    }
    chunks.push(value)
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new AppError('malformed-json', { pointer: '', detail: 'The body is not UTF-8.' })
  }
}

/** Depth first without recursion, so that no body can exhaust the stack. */
function refuseHarmful(root: unknown): void {
  const left: { value: unknown; pointer: string; depth: number }[] = [{ value: root, pointer: '', depth: 0 }]
  for (let next = left.pop(); next; next = left.pop()) {
    const { value, pointer, depth } = next
    if (typeof value === 'string' && !isStorable(value))
      throw new AppError('bad-request', { pointer, detail: 'The text contains characters that cannot be stored.' })
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new AppError('bad-request', { pointer, detail: 'The number is too large.' })
    if (typeof value !== 'object' || value === null) continue
    if (depth === DEEPEST) throw new AppError('bad-request', { detail: `Lists and objects lie more than ${DEEPEST} deep in each other.` })
    for (const [key, inner] of Object.entries(value)) {
      const at = pointer + pointerStep(key)
      if (DANGEROUS_KEYS.has(key) || !isStorable(key))
        throw new AppError('bad-request', { pointer: at, detail: 'This name is not accepted.' })
      left.push({ value: inner, pointer: at, depth: depth + 1 })
    }
  }
}

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
