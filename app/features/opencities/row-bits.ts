/** A bitmap of a copy's rows: bit n, counted from the lowest bit of the first byte, is the row at position n. */
export type RowBits = Uint8Array

const BIT_COUNTS = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

export const intersectRows = ([first, ...others]: readonly RowBits[]): RowBits =>
  Uint8Array.from(first ?? [], (byte, at) => others.reduce((rest, other) => rest & (other[at] ?? 0), byte))

export const countRows = (rows: RowBits): number => rows.reduce((sum, byte) => sum + (BIT_COUNTS[byte] ?? 0), 0)

export const hasRow = (rows: RowBits, position: number): boolean => (((rows[position >> 3] ?? 0) >> (position & 7)) & 1) === 1

/** The first positions, ascending. */
export function toPositions(rows: RowBits, most: number): number[] {
  const positions: number[] = []
  for (let at = 0; at < rows.length && positions.length < most; at++) {
    for (let byte = rows[at] ?? 0, bit = 0; byte; byte >>= 1, bit++) {
      if (byte & 1) positions.push(at * 8 + bit)
    }
  }
  return positions.slice(0, most)
}

export function toRowBits(positions: readonly number[], rows: number): RowBits {
  const bits = new Uint8Array(Math.ceil(rows / 8))
  for (const position of positions) bits[position >> 3] = (bits[position >> 3] ?? 0) | (1 << (position & 7))
  return bits
}
