import type { Language } from '#app/lib/languages.ts'
import { type Cell, type ColumnType, MAX_CELL_LENGTH } from './opencities.schema.ts'

/** The source's notation: 1,5 and 31/12, or 1.5 and 12/31. */
export interface SourceLocale {
  decimalComma: boolean
  monthFirst: boolean
}

export const toSourceLocale = (language: Language, region: string): SourceLocale => ({
  decimalComma: new Intl.NumberFormat(language).format(0.5).includes(','),
  monthFirst: region === 'United States',
})

/** Thrown for a cell longer than any table can show. */
export class CellTooLarge extends Error {}

/** Converts a source value to a cell of the given type, or to text if it does not fit. @throws {CellTooLarge} */
export function parseCell(type: ColumnType, value: unknown, sourceLocale: SourceLocale): Cell {
  if (value === null || value === undefined) return null
  if (type === 'place') return parsePlace(value)
  if (typeof value === 'number' || typeof value === 'boolean') return toPrimitiveCell(type, value)
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll('\0', '').toWellFormed().trim()
  if (text.length > MAX_CELL_LENGTH) throw new CellTooLarge()
  if (text === '') return null
  switch (type) {
    case 'number':
    case 'year':
      return parseNumber(text, sourceLocale) ?? text
    case 'date':
      return parseDay(text, sourceLocale) ?? text
    case 'moment':
      return parseMoment(text, sourceLocale) ?? text
    case 'yes-no':
      return YES.test(text) ? true : NO.test(text) ? false : text
    case 'text':
    case 'link':
      return text
  }
}

function toPrimitiveCell(type: ColumnType, value: number | boolean): Cell {
  if (typeof value === 'boolean') return type === 'yes-no' ? value : String(value)
  if (!Number.isFinite(value)) return null
  if (type === 'number' || type === 'year') return value
  // Esri portals give times as milliseconds since 1970.
  if (type === 'moment' || type === 'date') {
    const at = new Date(value)
    if (Number.isNaN(at.getTime())) return null
    return type === 'date' ? at.toISOString().slice(0, 10) : at.toISOString()
  }
  if (type === 'yes-no' && (value === 0 || value === 1)) return value === 1
  return String(value)
}

const YES = /^(true|yes|y|oui|o|vrai|ie|oes|gwir|1)$/i
const NO = /^(false|no|n|non|faux|na|nac oes|anwir|0)$/i
const SPACES = /[\s\u00a0\u202f\u2009']/g

/** @returns undefined if the text is not a number; telephone numbers and "007" are not */
export function parseNumber(text: string, sourceLocale: SourceLocale): number | undefined {
  const bare = text.replace(/^[$€£]\s*|\s*[$€£%]$/g, '').replace(SPACES, '')
  if (!/^[-+−]?[\d.,]+(e[-+]?\d{1,2})?$/i.test(bare)) return undefined
  const plain = normaliseDecimal(bare.replace('−', '-'), sourceLocale)
  if (!plain || !/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,2})?$/i.test(plain)) return undefined
  if (/^[-+]?0\d/.test(plain)) return undefined
  const number = Number(plain)
  return Number.isFinite(number) ? number : undefined
}

/** Rewrites the number with a decimal point and no thousands separators. */
function normaliseDecimal(text: string, { decimalComma }: SourceLocale): string | undefined {
  const [comma, point] = [text.lastIndexOf(','), text.lastIndexOf('.')]
  if (comma < 0 && point < 0) return text
  if (comma >= 0 && point >= 0) return comma > point ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', '')
  const sign = comma >= 0 ? ',' : '.'
  const groups = text.split(sign)
  const isGrouped = groups.length > 1 && groups.slice(1).every((group) => group.length === 3) && (groups[0] ?? '').length <= 4
  if (groups.length > 2) return isGrouped ? groups.join('') : undefined
  if (sign === '.') return text
  return isGrouped && !decimalComma ? groups.join('') : groups.join('.')
}

const MONTHS = [
  /^(jan|ion)/,
  /^(feb|fév|fev|chwe)/,
  /^(mar|maw)/,
  /^(apr|avr|ebr)/,
  /^(may|mai)/,
  /^(jun|juin|meh)/,
  /^(jul|juil|gor)/,
  /^(aug|aoû|aou|aws)/,
  /^(sep|med)/,
  /^(oct|hyd)/,
  /^(nov|tac)/,
  /^(dec|déc|rha)/,
]

/** Parses a day to YYYY-MM-DD from ISO dates, 31/12/2026, 31 décembre 2026, Dec 31, 2026 and the like. */
export function parseDay(text: string, sourceLocale: SourceLocale): string | undefined {
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ].*)?$/.exec(text) ?? /^(\d{4})(\d{2})(\d{2})$/.exec(text)
  if (iso) return toIsoDay(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const plain = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:\s.*)?$/.exec(text)
  if (plain) {
    const [first, second, year] = [Number(plain[1]), Number(plain[2]), Number(plain[3])]
    const monthFirst = second > 12 || (sourceLocale.monthFirst && first <= 12)
    return monthFirst ? toIsoDay(year, first, second) : toIsoDay(year, second, first)
  }
  const named =
    /^(\d{1,2})(?:er|st|nd|rd|th)?\s+(\p{L}+)\.?,?\s+(\d{4})$/u.exec(text) ??
    /^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/u.exec(text)
  if (!named) return undefined
  const dayFirst = /^\d/.test(named[1] ?? '')
  const name = (dayFirst ? named[2] : named[1])?.toLowerCase() ?? ''
  const month = MONTHS.findIndex((pattern) => pattern.test(name)) + 1
  return month > 0 ? toIsoDay(Number(named[3]), month, Number(dayFirst ? named[1] : named[2])) : undefined
}

function toIsoDay(year: number, month: number, date: number): string | undefined {
  const at = new Date(Date.UTC(year, month - 1, date))
  if (at.getUTCFullYear() !== year || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== date) return undefined
  return at.toISOString().slice(0, 10)
}

/** An instant in UTC. Times without a zone are read as UTC, since portals do not say which zone they mean. */
export function parseMoment(text: string, sourceLocale: SourceLocale): string | undefined {
  const iso = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(text)
  if (!iso) {
    const on = parseDay(text, sourceLocale)
    return on && `${on}T00:00:00.000Z`
  }
  const zone = (iso[3] ?? 'Z').toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')
  const at = new Date(`${iso[1]}T${iso[2]}${zone}`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** A point in GeoJSON, Socrata, Opendatasoft or Esri notation, or the centre of a shape, as [longitude, latitude]. */
export function parsePlace(value: unknown): [number, number] | null {
  if (typeof value === 'string') {
    const pair = /^\s*\(?\s*(-?\d{1,3}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)\s*\)?\s*$/.exec(value)
    if (pair) return toValidCoordinates(Number(pair[2]), Number(pair[1]))
    const wkt = /^\s*(?:SRID=\d+;)?POINT\s*\(\s*(-?[\d.]+)\s+(-?[\d.]+)/i.exec(value)
    return wkt ? toValidCoordinates(Number(wkt[1]), Number(wkt[2])) : null
  }
  if (typeof value !== 'object' || value === null) return null
  const shape = value as Record<string, unknown>
  if (shape['type'] === 'Feature') return parsePlace(shape['geometry'])
  if (shape['coordinates'] !== undefined) return computeCentre(shape['coordinates'])
  if (shape['rings'] ?? shape['paths']) return computeCentre(shape['rings'] ?? shape['paths'])
  const longitude = toCoordinate(shape['lon'] ?? shape['lng'] ?? shape['longitude'] ?? shape['x'])
  const latitude = toCoordinate(shape['lat'] ?? shape['latitude'] ?? shape['y'])
  return toValidCoordinates(longitude, latitude)
}

/** A number or its text; an empty one is no coordinate, and not zero. */
const toCoordinate = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN

const MAX_CORNERS = 100_000

/** The centre of the bounding box. */
function computeCentre(coordinates: unknown): [number, number] | null {
  let [west, south, east, north, corners] = [Infinity, Infinity, -Infinity, -Infinity, 0]
  const visitCoordinates = (inner: unknown, depth: number): void => {
    if (!Array.isArray(inner) || depth > 5 || corners > MAX_CORNERS) return
    const [x, y] = inner as unknown[]
    if (typeof x === 'number' && typeof y === 'number') {
      corners += 1
      ;[west, south, east, north] = [Math.min(west, x), Math.min(south, y), Math.max(east, x), Math.max(north, y)]
    } else for (const part of inner as unknown[]) visitCoordinates(part, depth + 1)
  }
  visitCoordinates(coordinates, 0)
  return toValidCoordinates((west + east) / 2, (south + north) / 2)
}

const toValidCoordinates = (longitude: number, latitude: number): [number, number] | null =>
  Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? [Math.round(longitude * 1e6) / 1e6, Math.round(latitude * 1e6) / 1e6] : null

const SHAPE_PARTS = ['coordinates', 'geometries', 'geometry', 'rings', 'paths']

const isShape = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (parsePlace(value) !== null || SHAPE_PARTS.some((part) => part in value))

const YEAR_COLUMN_NAME = /^(year|yr|ann[ée]e|an|exercice|blwyddyn|fiscal[ _]?year|annee)\b/i

/** Infers a column's type from a sample of its values. */
export function guessColumnType(name: string, values: readonly unknown[], sourceLocale: SourceLocale): ColumnType {
  const given = values.filter((value) => value !== null && value !== undefined && value !== '')
  if (given.length === 0) return 'text'
  if (given.every((value) => typeof value === 'boolean')) return 'yes-no'
  // Some shapes in a large set may be empty.
  if (given.every(isShape) && given.some((value) => parsePlace(value) !== null)) return 'place'
  const texts = given.map((value) => (typeof value === 'string' ? value.trim() : JSON.stringify(value)))
  const numbers = texts.map((text) => parseNumber(text, sourceLocale))
  if (numbers.every((number) => number !== undefined)) {
    const years = numbers.every((number) => Number.isInteger(number) && number >= 1500 && number <= 2200)
    return years && (YEAR_COLUMN_NAME.test(name.trim()) || texts.every((text) => /^(19|20)\d\d$/.test(text))) ? 'year' : 'number'
  }
  if (texts.every((text) => /\d{2}:\d{2}/.test(text) && parseMoment(text, sourceLocale) !== undefined)) {
    return texts.every((text) => /[T ]00:00(:00(\.0+)?)?/.test(text)) ? 'date' : 'moment'
  }
  if (texts.every((text) => parseDay(text, sourceLocale) !== undefined)) return 'date'
  if (texts.every((text) => /^https?:\/\/\S+$/.test(text))) return 'link'
  if (texts.every((text) => parsePlace(text) !== null)) return 'place'
  if (texts.every((text) => /^(true|false|yes|no|oui|non|vrai|faux)$/i.test(text))) return 'yes-no'
  return 'text'
}
