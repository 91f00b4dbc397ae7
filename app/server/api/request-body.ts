import { AppError, type DetailKey, type DetailText } from '../../lib/app-error.ts'
import type { BodyBounds } from '../../lib/api-client/resource-shape.ts'
import { toPointerStep } from '../../lib/validate.ts'
import { readBoundedBody } from '../bounded-body.ts'
import { checkContentType } from './negotiation.ts'
import { MAX_JSON_DEPTH } from './protocol.ts'

/** Keys that pollute an object's prototype if copied carelessly. */
const DANGEROUS_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Reads a JSON request body, up to the endpoint's limits and not a byte more.
 * @param extensions URIs of the JSON:API extensions that the address supports
 * @throws {AppError} `unsupported-media-type`, `too-large`, `malformed-json`, or `bad-request` for JSON that no use-case should ever see
 */
export async function readJson(request: Request, bounds: BodyBounds, extensions?: readonly string[]): Promise<unknown> {
  checkContentType(request.headers.get('content-type'), extensions)
  const encoding = request.headers.get('content-encoding') ?? 'identity'
  if (encoding !== 'identity') throw new AppError('unsupported-media-type', { detail: { key: 'no-encoding' } })
  const value = parseJson(await readBoundedBody(request, bounds.bytes), { values: bounds.values, depth: MAX_JSON_DEPTH })
  refuseHarmfulJson(value)
  return value
}

interface JsonBounds {
  values: number
  /** Nesting depth of lists and objects. */
  depth: number
}

/**
 * Parses JSON after counting its values: a megabyte of tiny values takes a second to parse and check.
 * @throws {AppError} `malformed-json`, `too-large`, or `bad-request` if nested too deep
 */
export function parseJson(bytes: Uint8Array, bounds: JsonBounds): unknown {
  requireWithinBounds(bytes, bounds)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw new AppError('malformed-json', { pointer: '', detail: explainUnreadable(error) })
  }
}

/** Where the text stops being JSON, as the parser's message tells it. */
function explainUnreadable(error: unknown): DetailText {
  if (!(error instanceof SyntaxError)) return { key: 'not-utf-8' }
  const [, position] = /at position (\d+)/.exec(error.message) ?? []
  return position === undefined ? { key: 'json-incomplete' } : { key: 'json-fault', values: { position } }
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, BRACKET_END, BRACE_END] = Buffer.from('"\\,[{]}')

function requireWithinBounds(bytes: Uint8Array, most: JsonBounds): void {
  let [values, depth, isText] = [1, 0, false]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isText = false
      continue
    }
    if (byte === QUOTE) isText = true
    else if (byte === BRACKET_END || byte === BRACE_END) depth--
    else if (byte === BRACKET || byte === BRACE) {
      values++
      if (++depth > most.depth) throw new AppError('bad-request', { detail: { key: 'too-deep', values: { max: most.depth } } })
    } else if (byte === COMMA) values++
    if (values > most.values) throw new AppError('too-large', { detail: { key: 'value-limit', values: { max: most.values } } })
  }
}

interface JsonPlace {
  value: unknown
  key: string
  inside: JsonPlace | undefined
}

/** Iterative, like everything that walks client input, so that deep nesting cannot overflow the stack. */
function refuseHarmfulJson(root: unknown): void {
  const left: JsonPlace[] = [{ value: root, key: '', inside: undefined }]
  for (let next = left.pop(); next; next = left.pop()) {
    const { value } = next
    if (typeof value === 'string' && !isStorable(value)) throw createBadRequest(next, 'unusable-characters')
    if (typeof value === 'number' && !Number.isFinite(value)) throw createBadRequest(next, 'number-too-large')
    if (typeof value !== 'object' || value === null) continue
    for (const [key, own] of Object.entries(value)) {
      const inner = { value: own as unknown, key, inside: next }
      if (DANGEROUS_KEYS.has(key) || !isStorable(key)) throw createBadRequest(inner, 'name-refused')
      left.push(inner)
    }
  }
}

function createBadRequest(place: JsonPlace, key: DetailKey): AppError {
  let pointer = ''
  for (let at: JsonPlace | undefined = place; at?.inside; at = at.inside) pointer = toPointerStep(at.key) + pointer
  return new AppError('bad-request', { pointer, detail: { key } })
}

/** PostgreSQL can store neither U+0000 nor a lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
