import { BYTE_ORDER_MARK, formatCsv } from '#app/lib/csv.ts'
import { saveText } from './save-text.ts'

/** Has the browser save rows as a CSV file. */
export function downloadCsv(filename: string, rows: readonly (readonly string[])[]): void {
  saveText(filename, 'text/csv;charset=utf-8', BYTE_ORDER_MARK + formatCsv(rows))
}
