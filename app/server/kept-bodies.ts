import { type Memory, MemoryBudget } from './memory/memory-budget.ts'

const MAX_BYTES = 12_000_000
/** Size of a body with both its compressed forms, relative to the body. */
const WITH_COMPRESSED_FORMS = 1.6

/** Compressed bodies by encoding. */
export type CompressedForms = Map<string, Promise<Buffer>>

const formsOfBody = new WeakMap<Buffer, CompressedForms>()

/** API response bodies assembled earlier, shared by all requests whose answers are the same bytes. */
export class KeptBodies {
  readonly #bodies: Memory<Buffer>

  constructor(budget = new MemoryBudget(MAX_BYTES)) {
    this.#bodies = budget.open('API bodies', { maxBytes: MAX_BYTES })
  }

  get bytes(): number {
    return this.#bodies.bytes
  }

  /** @param name identifies the bytes: different bodies must never share a name */
  obtain(name: string, build: () => Buffer): Buffer {
    const known = this.#bodies.find(name)
    if (known) return known
    const body = keepCompressedForms(build())
    this.#bodies.set(name, body, 2 * name.length + body.length * WITH_COMPRESSED_FORMS)
    return body
  }
}

/** Marks a body that will be sent again, so that it is compressed only once for each encoding. */
export function keepCompressedForms(body: Buffer): Buffer {
  formsOfBody.set(body, new Map())
  return body
}

/** Undefined for a body that is sent only once. */
export const findCompressedForms = (body: Buffer): CompressedForms | undefined => formsOfBody.get(body)
