import type { KeptBodies } from '../kept-bodies.ts'
import type { ResourceObject } from './protocol.ts'

let made = 0

/** A resource object as JSON that was made before. */
export class ResourceText {
  readonly bytes: Buffer
  /** Unique within this process. */
  readonly number = ++made

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  toJSON(): ResourceObject {
    return JSON.parse(this.bytes.toString()) as ResourceObject
  }
}

type Piece = string | ResourceText

/**
 * A document as JSON. Resource objects that are text already are not made into text again.
 * @param bodies where a document that is put together from texts is found if the same was sent before
 */
export function encodeDocument(document: unknown, bodies?: KeptBodies): Buffer {
  if (typeof document !== 'object' || document === null || !Object.values(document).some(hasText))
    return Buffer.from(JSON.stringify(document))
  const pieces = splitIntoPieces(document)
  const join = () => Buffer.concat(pieces.map((piece) => (piece instanceof ResourceText ? piece.bytes : Buffer.from(piece))))
  return bodies ? bodies.obtain(pieces.map(namePiece).join(''), join) : join()
}

/** JSON holds no control characters, so a number cannot be taken for JSON. */
const namePiece = (piece: Piece): string => (piece instanceof ResourceText ? `\0${piece.number}` : piece)

function splitIntoPieces(document: object): Piece[] {
  const pieces: Piece[] = []
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue
    pieces.push(`${pieces.length > 0 ? ',' : '{'}${JSON.stringify(name)}:`)
    if (Array.isArray(value) && hasText(value)) pieces.push('[', ...value.flatMap(toListPiece), ']')
    else pieces.push(toPiece(value))
  }
  return [...pieces, '}']
}

const toListPiece = (item: unknown, at: number): Piece[] => (at > 0 ? [',', toPiece(item)] : [toPiece(item)])

const toPiece = (value: unknown): Piece => (value instanceof ResourceText ? value : JSON.stringify(value))

const hasText = (value: unknown): boolean =>
  value instanceof ResourceText || (Array.isArray(value) && value.some((item) => item instanceof ResourceText))
