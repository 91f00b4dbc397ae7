import { writeXlsxStream } from 'hucre/xlsx'
import type { CellValue } from '../question-types/question-type.ts'
import type { ExportedRow, ExportPlan } from './plan.ts'

/** What a cell of a spreadsheet takes, in UTF-16 units. */
const LONGEST_CELL = 32_767

/** The responses as a workbook, made as it is taken; past a sheet's last row it goes on in another. Words stay words, also where they look like a formula. */
export async function* xlsxPieces({ columns }: ExportPlan, pages: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<Uint8Array> {
  async function* rows() {
    yield columns.map((column) => column.heading)
    for await (const page of pages) for (const row of page) yield columns.map((column) => fitting(column.value(row)))
  }
  const reader = writeXlsxStream(rows(), { name: 'responses', freezePane: { rows: 1 } }).getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => {})
  }
}

const fitting = (value: CellValue): CellValue =>
  typeof value === 'string' && value.length > LONGEST_CELL ? value.slice(0, LONGEST_CELL).toWellFormed() : value
