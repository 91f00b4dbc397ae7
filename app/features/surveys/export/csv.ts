import type { CellValue } from '../questionnaire/question-types/question-type.ts'
import { encodeLines } from './lines.ts'
import type { ExportedRow, ExportPlan } from './plan.ts'

/** So that a spreadsheet reads the file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'
/** What a spreadsheet would take for the start of a formula, also in its full-width form. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/
const QUOTED = /[",\r\n]/

/**
 * One line of a file. Words that a spreadsheet would run are kept from it by an apostrophe; numbers are left alone.
 * Ours, since a general writer takes three times as long for the millions of cells of a large survey.
 */
export const csvLine = (cells: readonly CellValue[]): string => `${cells.map(cellOf).join(',')}\r\n`

function cellOf(value: CellValue): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = FORMULA.test(value) ? `'${value}` : value
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The file in pieces, one for each page of rows. */
export async function* csvPieces(
  { columns }: ExportPlan,
  pages: AsyncIterable<readonly ExportedRow[]>,
): AsyncGenerator<string | Uint8Array> {
  yield BYTE_ORDER_MARK + csvLine(columns.map((column) => column.heading))
  for await (const rows of pages) yield encodeLines(rows, (row) => csvLine(columns.map((column) => column.value(row))))
}
