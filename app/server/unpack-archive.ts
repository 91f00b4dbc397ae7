import { inflateRawSync } from 'node:zlib'

const MAX_ENTRIES = 1000

export interface ArchivedFile {
  name: string
  bytes: Buffer
}

/**
 * The files of a ZIP archive, one after the other. Stops once they unpack to more than `largest` bytes, whatever the archive declares.
 * @throws {Error}
 */
export function* unpackArchive(file: Uint8Array, largest: number): Generator<ArchivedFile> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end < 0 || end + 22 > bytes.length) throw new Error('Not a ZIP archive')
  let at = bytes.readUInt32LE(end + 16)
  let left = largest
  const entries = bytes.readUInt16LE(end + 10)
  if (entries > MAX_ENTRIES) throw new Error('Too large')
  for (let count = entries; count > 0; count--) {
    if (bytes.readUInt32LE(at) !== 0x02014b50) throw new Error('Not a ZIP archive')
    const [claimed, head] = [bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 42)]
    if (claimed > left) throw new Error('Too large')
    const from = head + 30 + bytes.readUInt16LE(head + 26) + bytes.readUInt16LE(head + 28)
    const data = bytes.subarray(from, from + bytes.readUInt32LE(at + 20))
    const deflated = bytes.readUInt16LE(at + 10) === 8
    const unpacked = deflated ? inflateRawSync(data, { maxOutputLength: Math.max(1, left) }) : data
    left -= unpacked.length
    const nameLength = bytes.readUInt16LE(at + 28)
    yield { name: bytes.toString('utf8', at + 46, at + 46 + nameLength), bytes: unpacked }
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
}
