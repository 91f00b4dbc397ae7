import { saveText } from '../save-text.ts'

const BYTE_ORDER_MARK = '\uFEFF'

/** Has the browser save rows as a CSV file. Nothing in them may begin like a formula. */
export function downloadCsv(filename: string, rows: readonly (readonly string[])[]): void {
  const quoted = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')
  saveText(filename, 'text/csv;charset=utf-8', `${BYTE_ORDER_MARK}${quoted}\r\n`)
}
