import { type Formatter, getFormatter } from '#app/lib/format.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Cell, ColumnType } from './opencities.schema.ts'

export interface CellFormatting {
  format: Formatter
  /** For days, which have no time zone: a date reads the same everywhere. */
  days: Formatter
  yes: string
  no: string
}

export const createCellFormatting = (settings: {
  language: Language
  timeZone: string
  region: string
  yes: string
  no: string
}): CellFormatting => ({
  format: getFormatter(settings),
  days: getFormatter({ ...settings, timeZone: 'UTC' }),
  yes: settings.yes,
  no: settings.no,
})

/** A cell as a person reads it: numbers and dates in the page's language. */
export function formatCell(cell: Cell, type: ColumnType, { format, days, yes, no }: CellFormatting): string {
  if (cell === null) return '–'
  if (Array.isArray(cell)) return `${formatCoordinate(cell[1])}, ${formatCoordinate(cell[0])}`
  if (typeof cell === 'boolean') return cell ? yes : no
  if (typeof cell === 'number') return type === 'year' ? String(cell) : format.number(cell)
  if (type === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(cell)) return days.shortDate(`${cell}T00:00:00Z`)
  if (type === 'moment' && /^\d{4}-\d{2}-\d{2}T/.test(cell)) return format.dateTime(cell)
  return cell
}

const formatCoordinate = (degrees: number) => degrees.toFixed(4).replace('-', '−')
