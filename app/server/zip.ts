import { crc32, createDeflateRaw } from 'node:zlib'

interface Entry {
  name: string
  pieces: AsyncIterable<string | Uint8Array>
}

interface WrittenEntry {
  name: Buffer
  sum: number
  packed: number
  size: number
  at: number
}

const UTF8_AND_SIZES_FOLLOW = 0x0808
const DEFLATED = 8
const VERSION = 20
/** 1 January 1980, the earliest date an archive can hold. The files' real dates are not stored here. */
const DOS_DATE = 0x21
/** Bytes per compressed chunk. */
const PACKED_BYTES = 65_536
/** Sizes and offsets have four bytes, counts have two; anything beyond needs ZIP64. */
const MAX_32_BIT = 0xffffffff
const MAX_16_BIT = 0xffff
const VERSION_64 = 45

/**
 * Streams a ZIP archive, compressing files as they arrive; memory use is one chunk.
 * @param level compression level, from 1 to 9
 * @throws if a single file exceeds 4 GiB; the archive may exceed it
 */
export async function* streamZip(entries: Iterable<Entry> | AsyncIterable<Entry>, level = 6): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = []
  let position = 0
  for await (const { name, pieces } of entries) {
    const entry: WrittenEntry = { name: Buffer.from(name), sum: 0, packed: 0, size: 0, at: position }
    const head = Buffer.concat([buildLocalHeader(entry), entry.name])
    position += head.length
    yield head
    for await (const packed of deflatePieces(pieces, entry, level)) {
      position += packed.length
      yield packed
    }
    if (entry.size > MAX_32_BIT || entry.packed > MAX_32_BIT) throw new Error(`${name} is larger than 4 GiB`)
    const sizes = Buffer.alloc(16)
    for (const [index, value] of [0x08074b50, entry.sum, entry.packed, entry.size].entries()) sizes.writeUInt32LE(value, index * 4)
    position += sizes.length
    yield sizes
    written.push(entry)
  }
  const directory = Buffer.concat(written.flatMap((entry) => [buildDirectoryHeader(entry), entry.name, buildZip64Extra(entry)]))
  yield directory
  if (written.length >= MAX_16_BIT || position + directory.length >= MAX_32_BIT)
    yield buildZip64End(written.length, directory.length, position)
  yield buildDirectoryEnd(written.length, directory.length, position)
}

async function* deflatePieces(pieces: Entry['pieces'], entry: WrittenEntry, level: number): AsyncGenerator<Uint8Array> {
  const packer = createDeflateRaw({ level, chunkSize: PACKED_BYTES })
  const writePieces = async () => {
    for await (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
      entry.sum = crc32(bytes, entry.sum)
      entry.size += bytes.length
      if (!packer.write(bytes)) await new Promise((drained) => packer.once('drain', drained))
    }
    packer.end()
  }
  const filling = writePieces().catch((error: unknown) => packer.destroy(error as Error))
  for await (const packed of packer) {
    entry.packed += (packed as Buffer).length
    yield packed as Buffer
  }
  await filling
}

function buildLocalHeader({ name }: WrittenEntry): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(VERSION, 4)
  head.writeUInt16LE(UTF8_AND_SIZES_FOLLOW, 6)
  head.writeUInt16LE(DEFLATED, 8)
  head.writeUInt16LE(DOS_DATE, 12)
  head.writeUInt16LE(name.length, 26)
  return head
}

function buildDirectoryHeader({ name, sum, packed, size, at }: WrittenEntry): Buffer {
  const version = at < MAX_32_BIT ? VERSION : VERSION_64
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE(version, 4)
  head.writeUInt16LE(version, 6)
  head.writeUInt16LE(UTF8_AND_SIZES_FOLLOW, 8)
  head.writeUInt16LE(DEFLATED, 10)
  head.writeUInt16LE(DOS_DATE, 14)
  for (const [index, value] of [sum, packed, size].entries()) head.writeUInt32LE(value, 16 + index * 4)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt16LE(buildZip64Extra({ at }).length, 30)
  head.writeUInt32LE(Math.min(at, MAX_32_BIT), 42)
  return head
}

/** The ZIP64 field for a file that starts beyond 4 GiB. */
function buildZip64Extra({ at }: Pick<WrittenEntry, 'at'>): Buffer {
  if (at < MAX_32_BIT) return Buffer.alloc(0)
  const extra = Buffer.alloc(12)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8, 2)
  extra.writeBigUInt64LE(BigInt(at), 4)
  return extra
}

function buildZip64End(entries: number, bytes: number, at: number): Buffer {
  const end = Buffer.alloc(56 + 20)
  end.writeUInt32LE(0x06064b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(VERSION_64, 12)
  end.writeUInt16LE(VERSION_64, 14)
  for (const [index, value] of [entries, entries, bytes, at].entries()) end.writeBigUInt64LE(BigInt(value), 24 + index * 8)
  end.writeUInt32LE(0x07064b50, 56)
  end.writeBigUInt64LE(BigInt(at + bytes), 64)
  end.writeUInt32LE(1, 72)
  return end
}

function buildDirectoryEnd(entries: number, bytes: number, at: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, MAX_16_BIT), 8)
  end.writeUInt16LE(Math.min(entries, MAX_16_BIT), 10)
  end.writeUInt32LE(Math.min(bytes, MAX_32_BIT), 12)
  end.writeUInt32LE(Math.min(at, MAX_32_BIT), 16)
  return end
}
