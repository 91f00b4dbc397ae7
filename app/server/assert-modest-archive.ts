import { inflateRawSync } from 'node:zlib'

const MAX_ENTRIES = 1000

/** Refuses a ZIP archive that unpacks to more than `largest` bytes, whatever it declares, before anything reads it. @throws {Error} */
export function assertModestArchive(file: Uint8Array, largest: number): void {
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
    left -= deflated ? inflateRawSync(data, { maxOutputLength: Math.max(1, left) }).length : data.length
    at += 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
}
