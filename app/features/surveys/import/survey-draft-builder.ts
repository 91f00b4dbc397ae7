import { LANGUAGES, type Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { Definition, Option, Page, Question, Row } from '../surveys.schema.ts'
import type { Condition } from '../questionnaire/conditions.schema.ts'
import { type NamedQuestion, parseCondition } from './parse-condition.ts'
import type { ImportNote } from './import.schema.ts'

/** Result of parsing a file. */
export interface ImportedSurvey {
  title: Translated
  intro: Translated
  thanks: Translated
  definition: Definition
  notes: ImportNote[]
}

const MAX_ITEMS = { pages: 50, questions: 200, options: 200, rows: 100 } as const
/** Options and rows of all questions together: a list that many questions share is copied to each. */
const MAX_OPTIONS_TOGETHER = 20_000
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Other tools' markup as plain text. */
export const toPlainText = (text: string): string =>
  text
    .replace(/<(br|\/p|\/div|\/li|\/h\d)\b[^<>]{0,500}>/gi, '\n')
    .replace(/<\/?[a-z][^<>]{0,2000}>/gi, '')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n\s*/g, '\n')
    .toWellFormed()
    .replaceAll('\0', '')
    .trim()

/** Our language for the name in another tool: `fr`, `French (fr)`, `cy-GB`, `en_GB`. */
export function findLanguage(name: string): Language | undefined {
  const code = (/\(([A-Za-z]{2,3}(?:[-_][A-Za-z]+)?)\)\s*$/.exec(name)?.[1] ?? name).trim().toLowerCase().slice(0, 2)
  return LANGUAGES.find((language) => language.slice(0, 2) === code)
}

/** Builds a definition with valid ids and texts, and notes everything that does not fit. */
export class SurveyDraftBuilder {
  readonly notes: ImportNote[] = []
  readonly pages: Page[] = []
  readonly #taken = new Set<string>()
  /** Questions by their name in the file, for conditions. */
  readonly #asked = new Map<string, NamedQuestion>()
  readonly #languages = new Set<string>()
  /** The next suffix for each base id, per set of ids. */
  readonly #next = new WeakMap<Set<string>, Map<string, number>>()
  #optionsLeft = MAX_OPTIONS_TOGETHER

  note(code: ImportNote['code'], at: string, what: string): void {
    if (this.notes.length < 500) this.notes.push({ code, at: at.slice(0, 200), what: what.slice(0, 300) })
  }

  /** The name as an id, unique in the survey. */
  id(name: string): string {
    return this.idAmong(name, this.#taken)
  }

  idAmong(name: string, taken: Set<string>): string {
    const plain = name
      .normalize('NFD')
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .slice(0, 34)
    const base = /^[A-Za-z]/.test(plain) ? plain : `q${plain}`
    const next = this.#next.get(taken) ?? new Map<string, number>()
    this.#next.set(taken, next)
    let count = next.get(base) ?? 1
    let id = count === 1 ? base : `${base}_${count}`
    while (taken.has(id)) id = `${base}_${++count}`
    next.set(base, count)
    taken.add(id)
    return id
  }

  /** Plain text in the languages we support. */
  text(said: Readonly<Record<string, string>>, max: number, at: string): Translated {
    const text: Translated = {}
    for (const [name, words] of Object.entries(said)) {
      const language = findLanguage(name)
      const plain = toPlainText(words)
      if (!plain) continue
      if (!language) {
        if (!this.#languages.has(name)) this.note('language-left-out', at, name)
        this.#languages.add(name)
        continue
      }
      if (plain.length > max) this.note('shortened', at, plain)
      text[language] ??= plain.slice(0, max).toWellFormed()
    }
    return text
  }

  page(name: string, title: Translated = {}): Page {
    const last = this.pages.at(-1)
    if (last && this.pages.length >= MAX_ITEMS.pages) return last
    const page: Page = { id: this.id(name || 'page'), questions: [], ...(Object.keys(title).length > 0 && { title }) }
    this.pages.push(page)
    return page
  }

  /** Adds a question to the last page, and remembers the names that conditions refer to it by. */
  add(name: string, question: Question, codes: ReadonlyMap<string, string> = new Map()): void {
    let page = this.pages.at(-1) ?? this.page('page')
    if (page.questions.length >= MAX_ITEMS.questions) page = this.page('page')
    if (page.questions.length >= MAX_ITEMS.questions) return this.note('left-out', name, question.type)
    page.questions.push(question)
    this.#asked.set(name, { question, codes })
  }

  /** Options with new ids; `codes` maps the file's values to the ids. */
  options(
    from: readonly { value: string; said: Readonly<Record<string, string>>; other?: boolean; exclusive?: boolean }[],
    at: string,
    most: 'options' | 'rows' = 'options',
  ): { options: Option[]; codes: Map<string, string> } {
    const taken = new Set<string>()
    const codes = new Map<string, string>()
    const room = Math.min(MAX_ITEMS[most], this.#optionsLeft)
    if (from.length > room) this.note('left-out', at, `${from.length - room} × ${most}`)
    this.#optionsLeft -= Math.min(from.length, room)
    const options = from.slice(0, room).map(({ value, said, other, exclusive }): Option => {
      const id = this.idAmong(value, taken)
      codes.set(value, id)
      return {
        id,
        label: this.text(said, 300, `${at} ${value}`),
        ...(other && { other: true as const }),
        ...(exclusive && { exclusive: true as const }),
      }
    })
    return { options, codes }
  }

  rows(
    from: readonly { value: string; said: Readonly<Record<string, string>> }[],
    at: string,
  ): { rows: Row[]; codes: Map<string, string> } {
    const { options, codes } = this.options(from, at, 'rows')
    return { rows: options, codes }
  }

  /** Converts a condition; undefined, with a note, if it uses something we do not support. */
  condition(expression: string, at: string): Condition | undefined {
    if (!expression.trim() || expression.trim() === '1') return undefined
    const condition = parseCondition(expression, (name) => this.#asked.get(name))
    if (!condition) this.note('condition-left-out', at, expression)
    return condition
  }

  definition(): Definition {
    const pages = this.pages.filter((page) => page.questions.length > 0)
    return { schema: 1, pages: pages.length > 0 ? pages : [{ id: 'page1', questions: [] }] }
  }
}
