import { BYTE_ORDER_MARK, formatCsvLine } from '#app/lib/csv.ts'
import { encodeLines } from '#app/server/encode-lines.ts'
import { streamWorkbook, type WorkbookCell } from '#app/server/workbook.ts'
import type { ExportedRow, ExportPlan } from './export-plan.ts'

/** The responses as CSV, one chunk for each page of rows. */
export async function* streamCsv(
  { columns }: ExportPlan,
  pages: AsyncIterable<readonly ExportedRow[]>,
): AsyncGenerator<string | Uint8Array> {
  yield BYTE_ORDER_MARK + formatCsvLine(columns.map((column) => column.heading))
  for await (const rows of pages) yield encodeLines(rows, (row) => formatCsvLine(columns.map((column) => column.value(row))))
}

/** The responses as an XLSX workbook, streamed. */
export const streamXlsx = ({ columns }: ExportPlan, pages: AsyncIterable<readonly ExportedRow[]>): AsyncGenerator<Uint8Array> =>
  streamWorkbook([{ name: 'responses', heads: columns.map(({ heading }) => heading), rows: streamCells(columns, pages) }])

async function* streamCells(
  columns: ExportPlan['columns'],
  pages: AsyncIterable<readonly ExportedRow[]>,
): AsyncGenerator<WorkbookCell[][]> {
  for await (const page of pages) yield page.map((row) => columns.map((column) => column.value(row)))
}
