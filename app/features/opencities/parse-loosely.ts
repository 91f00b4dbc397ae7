/** Tolerant readers for third-party data: a value of the wrong type counts as missing. */

export type LooseRecord = Readonly<Record<string, unknown>>

export const toRecord = (value: unknown): LooseRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LooseRecord) : {}

/** A list; a single value where a list was promised becomes a list of one. */
export const toList = (value: unknown): unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : value === undefined || value === null ? [] : [value]

export const toRecords = (value: unknown): LooseRecord[] => toList(value).map(toRecord)

/** Text on one line, without markup; the first item of a list. Empty if there is none. */
export function toText(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (typeof first === 'number' || typeof first === 'boolean') return String(first)
  if (typeof first !== 'string') return ''
  return stripMarkup(first)
}

export const toWholeNumber = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null
}

/** An instant as ISO 8601, from text or from seconds or milliseconds since 1970. */
export function toInstant(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const at = new Date(typeof value === 'number' && value < 1e11 ? value * 1000 : value)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

export const toWebAddress = (value: unknown): string | null => {
  const address = typeof value === 'string' ? value.trim() : ''
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null
}

/** A JSON document; numbers that JSON does not have, as older servers write them for "no value", are null. @throws {SyntaxError} */
export function parseLooseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error
    return JSON.parse(
      text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\b(?:NaN|Infinity)\b/g, (part) => (part.startsWith('"') ? part : 'null')),
    ) as unknown
  }
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
}

/** Descriptions are often HTML. The result is only ever shown as text, never as markup. */
export const stripMarkup = (markup: string): string =>
  markup
    .replace(/<(script|style)\b[^>]*>[\s\S]*?(<\/\1\s*>|$)/gi, ' ')
    .replace(/<[a-z/!][^>]*>?/gi, ' ')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined
      if (code !== undefined) return code > 0 && code < 0x110000 ? String.fromCodePoint(code) : ''
      return ENTITIES[(name ?? '').toLowerCase()] ?? whole
    })
    .replaceAll('\0', '')
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .trim()
