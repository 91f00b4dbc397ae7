import { inflateRawSync } from 'node:zlib'

const END_OF_CENTRAL_DIRECTORY = Buffer.from([0x50, 0x4b, 5, 6])
const STORED = 0

/** The files of an archive by name, found by its central directory as any reader finds them. */
export function readZip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(END_OF_CENTRAL_DIRECTORY)
  const files = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed, start] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 42)]
    const [nameLength, extra] = [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30)]
    const from = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
    const bytes = archive.subarray(from, from + packed)
    files.set(archive.subarray(at + 46, at + 46 + nameLength).toString(), method === STORED ? bytes : inflateRawSync(bytes))
    at += 46 + nameLength + extra + archive.readUInt16LE(at + 32)
  }
  return files
}
