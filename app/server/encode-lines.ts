const INITIAL_BYTES = 65_536
/** Maximum UTF-8 bytes per UTF-16 unit. */
const MAX_BYTES_PER_UNIT = 3

/**
 * Encodes lines as UTF-8 one at a time, so that the many small strings of a line can be collected before the next. (Joining a page's lines
 * first took three times as long, most of it garbage collection.)
 */
export function encodeLines<Row>(rows: readonly Row[], line: (row: Row, index: number) => string): Uint8Array {
  let bytes = Buffer.allocUnsafe(INITIAL_BYTES)
  let length = 0
  for (const [index, row] of rows.entries()) {
    const text = line(row, index)
    const needed = length + text.length * MAX_BYTES_PER_UNIT
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, bytes.length * 2))
      bytes.copy(larger, 0, 0, length)
      bytes = larger
    }
    length += bytes.write(text, length)
  }
  return bytes.subarray(0, length)
}
