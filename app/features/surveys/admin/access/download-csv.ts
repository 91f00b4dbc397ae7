const BYTE_ORDER_MARK = '\uFEFF'

/** Has the browser save rows as a CSV file. Nothing in them may begin like a formula. */
export function downloadCsv(filename: string, rows: readonly (readonly string[])[]): void {
  const quoted = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')
  const url = URL.createObjectURL(new Blob([BYTE_ORDER_MARK, quoted, '\r\n'], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}
