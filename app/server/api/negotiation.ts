import { AppError } from '../../lib/app-error.ts'
import { MEDIA_TYPE } from './protocol.ts'

interface MediaRange {
  type: string
  parameters: Map<string, string>
  quality: number
}

/**
 * @param extensions URIs of the JSON:API extensions that the address supports
 * @throws {AppError} `unsupported-media-type` unless the body is plain JSON, or JSON:API without other extensions
 */
export function checkContentType(header: string | null, extensions: readonly string[] = []): void {
  const given = header === null ? undefined : parseMediaRange(header)
  if (given?.type === MEDIA_TYPE) {
    if (isSupportedRange(given, extensions)) return
    const [extension] = extensions
    throw new AppError('unsupported-media-type', {
      detail: extension
        ? { key: 'only-extension', values: { format: MEDIA_TYPE, extension } }
        : { key: 'no-parameters', values: { format: MEDIA_TYPE } },
    })
  }
  if (given?.type === 'application/json' && isPlainJson(given)) return
  throw new AppError('unsupported-media-type', { detail: { key: 'body-format', values: { format: MEDIA_TYPE } } })
}

/**
 * True if a client that sends this Accept header can be answered with JSON:API.
 * @param extensions URIs of the JSON:API extensions that the address supports
 */
export function acceptsJsonApi(header: string | null, extensions: readonly string[] = []): boolean {
  if (header === null || header.trim() === '') return true
  const ranges = splitOutsideQuotes(header, ',').map(parseMediaRange)
  // The most specific range decides (RFC 9110). JSON:API adds that ranges with other parameters are ignored.
  const exact = ranges.filter((range) => range.type === MEDIA_TYPE)
  if (exact.length > 0) return exact.some((range) => range.quality > 0 && isSupportedRange(range, extensions))
  for (const type of ['application/json', 'application/*', '*/*']) {
    const matching = ranges.filter((range) => range.type === type)
    if (matching.length > 0) return matching.some((range) => range.quality > 0)
  }
  return false
}

/** Only `profile`, or an `ext` that names nothing but supported extensions, may modify the media type. */
function isSupportedRange(range: MediaRange, extensions: readonly string[]): boolean {
  for (const [name, value] of range.parameters) {
    if (name === 'profile') continue
    if (name === 'ext' && value.split(' ').every((uri) => uri === '' || extensions.includes(uri))) continue
    return false
  }
  return true
}

const isPlainJson = (range: MediaRange): boolean =>
  [...range.parameters].every(([name, value]) => name === 'charset' && value.toLowerCase() === 'utf-8')

function parseMediaRange(text: string): MediaRange {
  const [type = '', ...rest] = splitOutsideQuotes(text, ';')
  const parameters = new Map<string, string>()
  let quality = 1
  for (const part of rest) {
    const at = part.indexOf('=')
    const name = (at < 0 ? part : part.slice(0, at)).trim().toLowerCase()
    const value = at < 0 ? '' : removeQuotes(part.slice(at + 1).trim())
    if (name === 'q') quality = parseQuality(value)
    else if (name !== '') parameters.set(name, value)
  }
  return { type: type.trim().toLowerCase(), parameters, quality }
}

function parseQuality(text: string): number {
  const quality = Number(text)
  return Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 0
}

const removeQuotes = (text: string): string => (/^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text)

function splitOutsideQuotes(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let quoted = false
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '\\' && quoted) i++
    else if (char === '"') quoted = !quoted
    else if (char === separator && !quoted) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  return [...parts, text.slice(start)]
}
