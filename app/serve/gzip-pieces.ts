import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib'
import { promisify } from 'node:util'

/**
 * Gzip streams of pieces, of which those that are the same for many readers were compressed before, and those with a reader's own facts are stored
 * as they are: nothing that is compressed refers to them, so the length of the whole says nothing of them (BREACH).
 */

const LEVEL = 9
const FLUSHED = { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH }
/** RFC 1952. */
const START = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
/** An empty last block. */
const END = Buffer.from([3, 0])
/** The length of a stored block has two bytes. */
const MOST_STORED = 0xffff

const deflate = promisify(deflateRaw)

/** @param before what stands before it in every stream, to which it may refer */
export const compressPiece = (text: Buffer, before?: Buffer): Promise<Buffer> =>
  deflate(text, before?.length ? { ...FLUSHED, dictionary: before } : FLUSHED)

export const compressPieceNow = (text: Buffer): Buffer => deflateRawSync(text, FLUSHED)

/**
 * @param whole the texts in one
 * @param findCompressed what a text was compressed to
 */
export function joinGzip(
  texts: readonly Buffer[],
  whole: Buffer,
  findCompressed: (text: Buffer, at: number) => Buffer | undefined,
): Buffer {
  const blocks = texts.flatMap((text, at) => findCompressed(text, at) ?? listStoredBlocks(text))
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(whole), 0)
  end.writeUInt32LE(whole.length, 4)
  return Buffer.concat([START, ...blocks, END, end])
}

/** RFC 1951, section 3.2.4. */
function listStoredBlocks(text: Buffer): Buffer[] {
  const blocks: Buffer[] = []
  for (let at = 0; at < text.length; at += MOST_STORED) {
    const part = text.subarray(at, at + MOST_STORED)
    const head = Buffer.alloc(5)
    head.writeUInt16LE(part.length, 1)
    head.writeUInt16LE(part.length ^ 0xffff, 3)
    blocks.push(head, part)
  }
  return blocks
}
