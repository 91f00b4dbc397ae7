const INITIAL_BYTES = 65_536
/** What a UTF-16 unit takes in UTF-8 at most. */
const MAX_BYTES_PER_UNIT = 3

/**
 * Lines in UTF-8, each written down as soon as it is made: the many small strings that it is made of are forgotten before the next. (A page's
 * lines joined first cost three times the time, most of it collecting what was left of them.)
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
