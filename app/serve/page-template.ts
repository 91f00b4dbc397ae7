import { randomBytes } from 'node:crypto'
import { escapeHtml } from '../lib/escape-html.ts'
import type { Placeholders, ReaderFacts } from '../server/context.ts'
import type { RenderedPage } from './page-store.ts'

/** Random, so that a page's content cannot contain a placeholder. */
const MARK = `reader${randomBytes(12).toString('hex')}`
const NAMES = ['id', 'email', 'login', 'lastSeenAt', 'token', 'nonce'] as const satisfies (keyof ReaderFacts)[]

export const PLACEHOLDERS = Object.fromEntries(NAMES.map((name) => [name, `${MARK}-${name}`])) as Placeholders

/** Fixed bytes, or the place of one fact about the reader. */
type Part = Buffer | { name: keyof ReaderFacts; place: 'html' | 'script' }

const SCRIPT_BODY = /(<script\b[^>]*>)([\s\S]*?)<\/script>/g
const IN_SCRIPT = new RegExp(`"${MARK}-(${NAMES.join('|')})"`, 'g')
const IN_HTML = new RegExp(`${MARK}-(${NAMES.join('|')})`, 'g')

/** A rendered page in which facts about its reader are still to be filled in. */
export class PageTemplate {
  readonly bytes: number
  readonly #parts: readonly Part[]
  readonly #headers: Readonly<Record<string, string>>
  readonly #status: number

  private constructor(parts: readonly Part[], { headers, status }: RenderedPage) {
    this.#parts = parts
    this.#status = status
    this.#headers = headers
    this.bytes = parts.reduce((sum, part) => sum + (Buffer.isBuffer(part) ? part.length : 50), JSON.stringify(headers).length)
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

  complete(facts: ReaderFacts): RenderedPage {
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(this.#headers)) headers[name] = value.replaceAll(PLACEHOLDERS.nonce, facts.nonce)
    const body = Buffer.concat(
      this.#parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from(writeFact(facts[part.name], part.place)))),
    )
    return { status: this.#status, headers, body, shareable: false }
  }
}

function splitAt(text: string, pattern: RegExp, place: 'html' | 'script'): Part[] {
  return text
    .split(pattern)
    .map((part, index) => (index % 2 ? { name: part as keyof ReaderFacts, place } : Buffer.from(part)))
    .filter((part) => !Buffer.isBuffer(part) || part.length > 0)
}

/** In a script, a text must not be able to end it. */
const writeFact = (fact: string | null, place: 'html' | 'script'): string =>
  place === 'html'
    ? escapeHtml(fact ?? '')
    : JSON.stringify(fact)
        .replaceAll('<', String.raw`\x3C`)
        .replaceAll('\u2028', String.raw`\u2028`)
        .replaceAll('\u2029', String.raw`\u2029`)
