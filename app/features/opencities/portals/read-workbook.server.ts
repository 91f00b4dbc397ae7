import { streamXlsxRows } from 'hucre/xlsx'
import { AppError } from '#app/lib/app-error.ts'
import { assertModestArchive } from '#app/server/assert-modest-archive.ts'
import { MAX_COLUMNS } from '../opencities.schema.ts'

/** The first sheet of a workbook: its header, and the records below. */
export interface WorkbookTable {
  header: string[]
  records: (string | number | boolean | null)[][]
}

const LARGEST_UNPACKED = 120_000_000
const MAX_ROWS = 100_000
const MAX_CELLS = 3_000_000
/** Rows in which the header is looked for: titles and notes often stand above it. */
const HEAD_ROWS = 20

/** Reads a workbook from somewhere else. It runs in a process that has nothing else. @throws {AppError} `invalid` with `file-too-complex` */
export async function readWorkbookTable({ file }: { file: Uint8Array }): Promise<WorkbookTable> {
  assertModestArchive(file, LARGEST_UNPACKED)
  const rows: WorkbookTable['records'] = []
  let cells = 0
  for await (const { values } of streamXlsxRows(file)) {
    cells += values.length
    if (rows.length >= MAX_ROWS || cells > MAX_CELLS) throw createTooComplexError()
    const last = values.findLastIndex((value) => value !== null && value !== undefined && value !== '')
    if (last >= MAX_COLUMNS) throw createTooComplexError()
    if (last >= 0) rows.push(values.slice(0, last + 1).map(toPlainValue))
  }
  const at = findHeader(rows)
  return { header: (rows[at] ?? []).map((value) => String(value ?? '')), records: rows.slice(at + 1) }
}

const createTooComplexError = () => new AppError('invalid', { faults: [{ code: 'file-too-complex', pointer: '/file' }] })

function toPlainValue(value: unknown): string | number | boolean | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** The first row that is nearly as full as the fullest at the beginning. */
function findHeader(rows: WorkbookTable['records']): number {
  const filled = rows.slice(0, HEAD_ROWS).map((row) => row.filter((value) => value !== null && value !== '').length)
  const fullest = Math.max(0, ...filled)
  return Math.max(
    0,
    filled.findIndex((count) => count >= fullest * 0.7),
  )
}
