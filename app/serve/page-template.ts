import { randomBytes } from 'node:crypto'
import { escapeHtml } from '../lib/escape-html.ts'
import { toScriptString } from '../lib/to-script-string.ts'
import type { Placeholders, ReaderFacts } from '../server/context.ts'
import { compressPiece, joinGzip } from './gzip-pieces.ts'
import type { RenderedPage } from './page-store.ts'

/** Random, so that a page's content cannot contain a placeholder. */
const MARK = `reader${randomBytes(12).toString('hex')}`
const NAMES = ['id', 'email', 'login', 'lastSeenAt', 'token', 'nonce', 'sendingId', 'sendKey'] as const satisfies (keyof ReaderFacts)[]

export const PLACEHOLDERS = Object.fromEntries(NAMES.map((name) => [name, `${MARK}-${name}`])) as Placeholders

/** A page as one reader gets it. */
export interface FilledPage extends RenderedPage {
  /** The body compressed, if it may be. */
  gzip?: Buffer
}

/** Fixed bytes, or the place of one fact about the reader. */
type Part = Buffer | { name: keyof ReaderFacts; place: 'html' | 'script' }

const SCRIPT_BODY = /(<script\b[^>]*>)([\s\S]*?)<\/script>/g
const IN_SCRIPT = new RegExp(`"${MARK}-(${NAMES.join('|')})"`, 'g')
const IN_HTML = new RegExp(`${MARK}-(${NAMES.join('|')})`, 'g')

/** Bytes of the facts that are always as long. Nothing after one of the others refers to what stands before it. */
const LENGTHS: Partial<Record<keyof ReaderFacts, number>> = { nonce: 24, sendingId: 36, sendKey: 22 }
/** In no text: the place of a fact while the text around it is compressed, so that nothing refers back to it. */
const NO_TEXT = 0xff
/** How far back compressed text may refer to what stands before it. */
const WINDOW_BYTES = 32_768

/** A rendered page in which facts about its reader are still to be filled in. */
export class PageTemplate {
  #bytes: number
  /** The fixed parts, each compressed; undefined if a page that is filled in is sent as it is. */
  #compressed: ReadonlyMap<Part, Buffer> | undefined
  readonly #parts: readonly Part[]
  readonly #headers: Readonly<Record<string, string>>
  readonly #status: number

  private constructor(parts: readonly Part[], { headers, status }: RenderedPage) {
    this.#parts = parts
    this.#status = status
    this.#headers = headers
    this.#bytes = parts.reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : 50), JSON.stringify(headers).length)
  }

  /** @returns undefined if a placeholder stands where its value could not be written */
  static parse(rendered: RenderedPage): PageTemplate | undefined {
    const html = rendered.body.toString('utf8')
    const parts: Part[] = []
    let at = 0
    for (const script of html.matchAll(SCRIPT_BODY)) {
      const start = script.index + (script[1]?.length ?? 0)
      parts.push(...splitAt(html.slice(at, start), IN_HTML, 'html'), ...splitAt(script[2] ?? '', IN_SCRIPT, 'script'))
      at = start + (script[2]?.length ?? 0)
    }
    parts.push(...splitAt(html.slice(at), IN_HTML, 'html'))
    const isWhole = parts.every((part) =>
      Buffer.isBuffer(part) ? !part.includes(MARK) : part.place === 'script' || part.name !== 'lastSeenAt',
    )
    return isWhole ? new PageTemplate(parts, rendered) : undefined
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Compresses what is the same for all, so that filling in the rest takes next to nothing. */
  async compress(): Promise<void> {
    const compressed = new Map<Part, Buffer>()
    let before = Buffer.alloc(0)
    for (const part of this.#parts) {
      if (Buffer.isBuffer(part)) compressed.set(part, await compressPiece(part, before))
      const length = Buffer.isBuffer(part) ? undefined : LENGTHS[part.name]
      if (Buffer.isBuffer(part)) before = Buffer.concat([before, part]).subarray(-WINDOW_BYTES)
      else if (length === undefined) before = Buffer.alloc(0)
      else before = Buffer.concat([before, Buffer.alloc(length + countQuotes(part.place), NO_TEXT)]).subarray(-WINDOW_BYTES)
    }
    this.#compressed = compressed
    for (const { length } of compressed.values()) this.#bytes += length
  }

  complete(facts: ReaderFacts): FilledPage {
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(this.#headers)) headers[name] = value.replaceAll(PLACEHOLDERS.nonce, facts.nonce)
    const texts = this.#parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(writeFact(facts[part.name], part.place))))
    const body = Buffer.concat(texts)
    const gzip = this.#compressed && joinGzip(texts, body, (_, at) => this.#compressed?.get(this.#parts[at] as Part))
    return { status: this.#status, headers, body, shareable: false, ...(gzip ? { gzip } : {}) }
  }
}

const countQuotes = (place: 'html' | 'script'): number => (place === 'script' ? 2 : 0)

function splitAt(text: string, pattern: RegExp, place: 'html' | 'script'): Part[] {
  return text
    .split(pattern)
    .map((part, index) => (index % 2 ? { name: part as keyof ReaderFacts, place } : Buffer.from(part)))
    .filter((part) => !Buffer.isBuffer(part) || part.length > 0)
}

const writeFact = (fact: string | null, place: 'html' | 'script'): string =>
  place === 'html' ? escapeHtml(fact ?? '') : toScriptString(fact)
