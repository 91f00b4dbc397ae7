import { inflateSync } from 'node:zlib'

const HEADER = 44
const ENTRY = 20

/** Converts a WOFF 1.0 file to TrueType: the same tables, decompressed, behind the plain directory that font libraries read. */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('This is not a WOFF file')
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, index) => readTable(woff, HEADER + index * ENTRY))
  const directory = Buffer.alloc(12 + 16 * count)
  const exponent = Math.floor(Math.log2(count))
  const range = 16 << exponent
  woff.copy(directory, 0, 4, 8)
  directory.writeUInt16BE(count, 4)
  directory.writeUInt16BE(range, 6)
  directory.writeUInt16BE(exponent, 8)
  directory.writeUInt16BE(16 * count - range, 10)
  const parts: Uint8Array[] = [directory]
  let offset = directory.length
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const at = 12 + 16 * index
    tag.copy(directory, at)
    directory.writeUInt32BE(checksum, at + 4)
    directory.writeUInt32BE(offset, at + 8)
    directory.writeUInt32BE(data.length, at + 12)
    const padding = Buffer.alloc((4 - (data.length % 4)) % 4)
    parts.push(data, padding)
    offset += data.length + padding.length
  }
  return Buffer.concat(parts)
}

function readTable(woff: Buffer, at: number): { tag: Buffer; checksum: number; data: Buffer } {
  const offset = woff.readUInt32BE(at + 4)
  const packedLength = woff.readUInt32BE(at + 8)
  const packed = woff.subarray(offset, offset + packedLength)
  return {
    tag: woff.subarray(at, at + 4),
    checksum: woff.readUInt32BE(at + 16),
    data: packedLength < woff.readUInt32BE(at + 12) ? inflateSync(packed) : packed,
  }
}
