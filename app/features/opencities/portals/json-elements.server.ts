import { type LooseRecord, parseLooseJson } from '../parse-loosely.ts'
import { PortalFault } from './portal.server.ts'

const MAX_ELEMENT_LENGTH = 2_000_000
const MAX_DEPTH = 3

/**
 * Streams the objects of an array inside a JSON document as its text arrives, so that a large file is never held in memory.
 * @param key name of the array, such as `features`; by default the first array of objects near the top level
 */
export async function* readJsonElements(body: AsyncIterable<Buffer>, key?: string): AsyncGenerator<LooseRecord, void, undefined> {
  const scanner = new JsonScanner(key)
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    yield* scanner.read(decoder.decode(chunk, { stream: true }))
    if (scanner.done) return
  }
  yield* scanner.read(decoder.decode())
  if (!scanner.started) throw new PortalFault('portal-not-understood', 'no list of objects')
  if (!scanner.done) throw new PortalFault('portal-unreachable', 'the document broke off')
}

class JsonScanner {
  started = false
  done = false
  readonly #key: string | undefined
  #depth = 0
  #inText = false
  #escaped = false
  #word = ''
  /** Just after the `[` of a candidate array: the next character decides. */
  #candidate = false
  #element = ''
  #elementDepth = 0

  constructor(key: string | undefined) {
    this.#key = key
  }

  *read(text: string): Generator<LooseRecord, void, undefined> {
    let from = 0
    for (let at = 0; at < text.length && !this.done; at++) {
      const sign = text.charCodeAt(at)
      if (this.#inText) {
        this.#readText(sign, text, at)
        continue
      }
      if (sign === 34) {
        this.#inText = true
        if (!this.started) this.#word = ''
      } else if (!this.started) this.#seek(sign)
      else if (sign === 123 || sign === 91) {
        if (this.#elementDepth === 0) from = at
        this.#elementDepth += 1
      } else if (sign === 125 || sign === 93) {
        if (this.#elementDepth === 0) {
          this.done = true
          return
        }
        this.#elementDepth -= 1
        if (this.#elementDepth === 0) {
          yield this.#parse(this.#element + text.slice(from, at + 1))
          this.#element = ''
        }
      }
      if (this.started && this.#elementDepth === 1 && sign === 123 && this.#candidate) {
        from = at
        this.#candidate = false
      }
    }
    if (this.started && this.#elementDepth > 0) this.#keepPart(text.slice(from))
  }

  /** The rest of the element comes with the next text. */
  #keepPart(part: string): void {
    this.#element += part
    if (this.#element.length > MAX_ELEMENT_LENGTH) throw new PortalFault('portal-cell-too-large', 'an object of megabytes')
  }

  #readText(sign: number, text: string, at: number): void {
    if (this.#escaped) this.#escaped = false
    else if (sign === 92) this.#escaped = true
    else if (sign === 34) this.#inText = false
    else if (!this.started && this.#word.length < 200) this.#word += text[at]
  }

  #seek(sign: number): void {
    if (sign === 32 || sign === 10 || sign === 13 || sign === 9 || sign === 0xfeff) return
    if (this.#candidate) {
      if (sign === 123) {
        this.started = true
        this.#elementDepth = 1
        return
      }
      this.#candidate = false
      if (sign === 93 && this.#key !== undefined) {
        this.started = true
        this.done = true
        return
      }
    }
    if (sign === 91) {
      this.#candidate = this.#depth < MAX_DEPTH && (this.#key === undefined || this.#word === this.#key)
      this.#depth += 1
    } else if (sign === 123) this.#depth += 1
    else if (sign === 125 || sign === 93) this.#depth -= 1
  }

  #parse(text: string): LooseRecord {
    try {
      return parseLooseJson(text) as LooseRecord
    } catch {
      throw new PortalFault('portal-not-understood', 'an object that is no JSON')
    }
  }
}
