import { LRUCache } from 'lru-cache'

const MAX_BYTES = 12_000_000
/** A body and what it is compressed to, in two encodings. */
const WITH_COMPRESSED_FORMS = 1.6

/** What a body is compressed to, by encoding. */
export type CompressedForms = Map<string, Promise<Buffer>>

const formsOfBody = new WeakMap<Buffer, CompressedForms>()

/** Bodies of answers that were put together before: many are sent the same, however much their rights differ. */
export class KeptBodies {
  readonly #bodies: LRUCache<string, Buffer>

  constructor(maxBytes = MAX_BYTES) {
    this.#bodies = new LRUCache({ maxSize: maxBytes })
  }

  get bytes(): number {
    return this.#bodies.calculatedSize
  }

  /** @param name two bodies may have the same only if they are the same to the byte */
  obtain(name: string, build: () => Buffer): Buffer {
    const known = this.#bodies.get(name)
    if (known) return known
    const body = keepCompressedForms(build())
    this.#bodies.set(name, body, { size: 2 * name.length + Math.ceil(body.length * WITH_COMPRESSED_FORMS) })
    return body
  }
}

/** For a body that is sent again: it is compressed once for each encoding. */
export function keepCompressedForms(body: Buffer): Buffer {
  formsOfBody.set(body, new Map())
  return body
}

/** Undefined for a body that is sent once. */
export const findCompressedForms = (body: Buffer): CompressedForms | undefined => formsOfBody.get(body)
