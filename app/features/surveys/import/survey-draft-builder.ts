import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { OwnSettings } from '../export/own-format.schema.ts'
import type { Definition, Option, Page, Question, Row } from '../surveys.schema.ts'
import { getComparedKind } from '../questionnaire/compared-kind.ts'
import { isOtherAnswer } from '../questionnaire/conditions.ts'
import type { Condition } from '../questionnaire/conditions.schema.ts'
import { MAX_LISTED_OPTIONS } from '../questionnaire/question-types/question-parts.schema.ts'
import { type ConditionLoss, explainLoss } from './explain-loss.ts'
import { buildCondition } from './build-condition.ts'
import { Calculations } from './calculations.ts'
import type { NamedQuestion } from './build-test.ts'
import type { buildXPathCondition } from './build-xpath-condition.ts'
import { type Expression, mapNames, parseExpression } from './parse-expression.ts'
import type { ImportedElement, ImportNoteCode, LanguageChoices } from './import.schema.ts'
import { findLanguage, splitText, toPlainText } from './import-texts.ts'
import type { UnreadProperty } from './tracked-record.ts'

/** What our own format says about a survey besides its texts. */
export type ImportedSettings = Partial<Omit<OwnSettings, `${string}Translations`>>

/** Result of parsing a file. */
export interface ImportedSurvey {
  title: Translated
  intro: Translated
  thanks: Translated
  definition: Definition
  /** Of a file in our own format. */
  settings?: ImportedSettings
  elements: ImportedElement[]
  moreNotes: number
  /** Languages of the file that the site lacks, and that `choices` says nothing about. */
  languages: string[]
  /** Whether the file has texts in one of the site's languages. */
  hasSiteLanguage: boolean
}

/** How texts of the file are read. */
export interface TextRules {
  /** The language of texts without one. */
  fallback: ContentLanguage
  /** The site's languages. */
  languages: readonly ContentLanguage[]
  choices: LanguageChoices
}

/** Texts by the file's names of languages. */
export type TextByLanguage = Readonly<Record<string, string>>

export interface ListedItem {
  value: string
  said: TextByLanguage
  other?: boolean
  exclusive?: boolean
  showIf?: Condition | undefined
}

interface ListedOptions {
  options: Option[]
  /** Ids by the file's values, the first of those that several options have. */
  codes: Map<string, string>
  sameCodes: Map<string, string[]>
}

const MAX_ITEMS = { pages: 50, questions: 200, options: 200, listed: MAX_LISTED_OPTIONS, rows: 100 } as const
/** Options and rows of all questions together: a list that many questions share is copied to each. */
const MAX_OPTIONS_TOGETHER = 20_000
/** The editor sends the whole survey when it saves, and a request takes 2 MB. */
const MAX_OPTION_BYTES = 1_500_000
const MAX_NOTES = 5000
const MAX_TITLE = 500
const MAX_HELP = 2000

/** Notes of what makes no difference to what is asked. */
const UNCHANGING_NOTES: ReadonlySet<ImportNoteCode> = new Set(['look-left-out', 'condition-always'])
const CONSTANT = /^\s*(?:true|yes|1|true\(\s*\))\s*$/i

const encoder = new TextEncoder()
const countBytes = (option: Option): number => encoder.encode(JSON.stringify(option)).length

/** A condition in which capital letters count wherever texts are compared, as they do in most sources. */
function matchCase(condition: Condition, isText: (questionId: string) => boolean): Condition {
  if ('all' in condition) return { all: condition.all.map((each) => matchCase(each, isText)) }
  if ('any' in condition) return { any: condition.any.map((each) => matchCase(each, isText)) }
  const { is, value } = condition
  if (is !== 'equals' && is !== 'not_equals' && is !== 'contains') return condition
  const hasLetters =
    typeof value === 'string' ? value.toLowerCase() !== value.toUpperCase() : isOtherAnswer(value) && isText(value.question)
  return hasLetters ? { ...condition, caseSensitive: true } : condition
}

/** Builds a definition with valid ids and texts, and reports what became of every part of the file. */
export class SurveyDraftBuilder {
  readonly elements: ImportedElement[] = []
  readonly pages: Page[] = []
  readonly #rules: TextRules
  /** Matches a reference to an earlier answer in a text of the file; its first group is what it refers to. */
  readonly #piping: RegExp
  readonly #taken = new Set<string>()
  /** Questions by their names in the file, for conditions and texts. */
  readonly #asked = new Map<string, NamedQuestion>()
  readonly #calculations = new Calculations()
  readonly #unknownLanguages = new Set<string>()
  readonly #omittedLanguages = new Set<string>()
  /** The next suffix for each base id, per set of ids. */
  readonly #next = new WeakMap<Set<string>, Map<string, number>>()
  #hasSiteLanguage = false
  #optionsLeft = MAX_OPTIONS_TOGETHER
  #optionBytesLeft = MAX_OPTION_BYTES
  #notesLeft = MAX_NOTES
  #moreNotes = 0
  #current: ImportedElement
  /** Why a condition cannot refer to a name. */
  explainUnknownName: (name: string) => ConditionLoss = () => 'condition-left-out'
  /** Whether the file's conditions tell capital letters from small ones, which ours do not. */
  isCaseSensitive = true
  parseCondition: (text: string) => Expression | undefined = parseExpression
  /** How the file's conditions become ours. */
  convertCondition: typeof buildXPathCondition = (expression, { find }) => {
    const meant = this.#calculations.expand(expression, (name) => this.#asked.has(name))
    return { built: meant && buildCondition(meant, find), losses: [] }
  }
  /** What a name means where it stands, such as a path relative to it. */
  resolveName: (name: string) => string = (name) => name
  /** The name by which the whole file knows a question that is added here, such as in one copy of what repeats. */
  placeName: (name: string) => string = (name) => name

  constructor(rules: TextRules, piping: RegExp) {
    this.#rules = rules
    this.#piping = piping
    this.#current = this.open('survey', '', '')
  }

  /** Starts the report's entry for a part of the file; notes go there until the next one is opened. */
  open(kind: ImportedElement['kind'], at: string, type: string): ImportedElement {
    this.#current = { kind, at: at.slice(0, 200), type: type.slice(0, 100), outcome: 'carried', became: [], notes: [] }
    this.elements.push(this.#current)
    return this.#current
  }

  /** Notes go to an entry that was opened before. */
  reopen(element: ImportedElement): void {
    this.#current = element
  }

  note(code: ImportNoteCode, what: string): void {
    this.noteAt(this.#current, code, what)
  }

  noteAt(element: ImportedElement, code: ImportNoteCode, what: string): void {
    const text = what.slice(0, 300).toWellFormed().replaceAll('\0', '')
    // Copies of what repeats have the same to say.
    if (element.notes.some((note) => note.code === code && note.what === text)) return
    if (--this.#notesLeft < 0) this.#moreNotes += 1
    else element.notes.push({ code, what: text })
  }

  /** Names the properties of a part that nothing has read; those of its looks do not count as a change. */
  noteUnread(element: ImportedElement, properties: readonly UnreadProperty[], looks: ReadonlySet<string>): void {
    for (const { name, value } of properties) {
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
      const isLook = looks.has(name.replace(/^.*\./, ''))
      this.noteAt(element, isLook ? 'look-left-out' : 'setting-left-out', `${name}: ${text.length > 120 ? `${text.slice(0, 120)}…` : text}`)
    }
  }

  /** Labels of our own, in the site's languages. */
  ownLabel(label: Translated): TextByLanguage {
    return Object.fromEntries(Object.entries(label).filter(([language]) => this.#rules.languages.includes(language as ContentLanguage)))
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

  /** Plain text in the site's languages. */
  text(said: TextByLanguage, max: number): Translated {
    return this.#mapLanguages(said, (text) => {
      const [start, rest] = splitText(this.#convertPiping(text), max)
      if (rest) this.note('shortened', rest)
      return start
    })
  }

  /** The title of a question and what it says below; the rest of a long title goes there. */
  titleAndHelp(title: TextByLanguage, help: TextByLanguage = {}, maxHelp = MAX_HELP): { title: Translated; help?: Translated } {
    const rests: Record<string, string> = {}
    const titles = this.#mapLanguages(title, (text, language) => {
      const [start, rest] = splitText(this.#convertPiping(text), MAX_TITLE)
      rests[language] = rest
      return start
    })
    const helps = this.#mapLanguages(help, (text) => this.#convertPiping(text))
    for (const [language, rest] of Object.entries(rests) as [ContentLanguage, string][]) {
      const [start, more] = splitText([rest, helps[language]].filter(Boolean).join('\n'), maxHelp)
      if (more) this.note('shortened', more)
      if (start) helps[language] = start
    }
    for (const [language, text] of Object.entries(helps) as [ContentLanguage, string][]) {
      const [start, more] = splitText(text, maxHelp)
      if (more) this.note('shortened', more)
      helps[language] = start
    }
    return { title: titles, ...(Object.keys(helps).length > 0 && { help: helps }) }
  }

  #mapLanguages(said: TextByLanguage, map: (text: string, language: ContentLanguage) => string): Translated {
    const text: Translated = {}
    const named = Object.entries(said).map(([name, words]) => ({ name, words, language: this.#resolveLanguage(name) }))
    // A language that the site has comes before one that is imported as it.
    const ordered = [...named.filter(({ name, language }) => findLanguage(name) === language), ...named]
    for (const { name, words, language } of ordered) {
      const plain = toPlainText(words)
      if (!plain) continue
      if (language === undefined) this.#unknownLanguages.add(name)
      else if (language === '') this.#omitLanguage(name)
      else {
        this.#hasSiteLanguage = true
        text[language] ??= map(plain, language)
      }
    }
    return text
  }

  /** '' leaves the language out; undefined if that is not decided yet. */
  #resolveLanguage(name: string): ContentLanguage | '' | undefined {
    const { choices, languages } = this.#rules
    if (Object.hasOwn(choices, name)) return choices[name]
    const known = findLanguage(name)
    return known && languages.includes(known) ? known : undefined
  }

  #omitLanguage(name: string): void {
    if (this.#omittedLanguages.has(name)) return
    this.#omittedLanguages.add(name)
    const [survey] = this.elements
    if (survey) this.noteAt(survey, 'language-left-out', name)
  }

  /** References to earlier answers as ours; those that cannot be answered become "…", and are named. */
  #convertPiping(text: string): string {
    return text.replace(this.#piping, (whole: string, expression: string) => {
      const name = expression.trim()
      const asked = this.find(name)
      if (asked && asked.row === undefined && asked.option === undefined) return `{{${asked.question.id}}}`
      this.note('piping-left-out', whole)
      return '…'
    })
  }

  /** The last page takes whatever has no room on others, so it has no condition of its own. */
  get hasRoomForPage(): boolean {
    return this.pages.length < MAX_ITEMS.pages - 1
  }

  page(name: string, title: Translated = {}): Page {
    const last = this.pages.at(-1)
    if (last && this.pages.length >= MAX_ITEMS.pages) return last
    const page: Page = { id: this.id(name || 'page'), questions: [], ...(Object.keys(title).length > 0 && { title }) }
    this.pages.push(page)
    return page
  }

  /** Adds a question to the last page, and remembers the names by which conditions and texts refer to it. */
  add(
    names: string | readonly string[],
    question: Question,
    codes: ReadonlyMap<string, string> = new Map(),
    sameCodes?: ReadonlyMap<string, readonly string[]>,
  ): void {
    let page = this.pages.at(-1) ?? this.page('page')
    if (page.questions.length >= MAX_ITEMS.questions && this.hasRoomForPage) {
      const { showIf } = page
      page = Object.assign(this.page('page'), showIf && { showIf })
    }
    if (page.questions.length >= MAX_ITEMS.questions) return this.note('left-out', question.type)
    page.questions.push(question)
    this.#current.became.push(question.type)
    for (const name of [names].flat()) this.name(name, { question, codes, ...(sameCodes && { sameCodes }) })
  }

  /** A name by which the file refers to a question or to a part of it. */
  name(name: string, asked: NamedQuestion): void {
    this.#asked.set(this.placeName(name), asked)
  }

  /** LimeSurvey says after a dot which value of the question it means. */
  find(name: string): NamedQuestion | undefined {
    const meant = this.resolveName(name)
    return this.#asked.get(meant) ?? this.#asked.get(meant.replace(/(\.(NAOK|shown|value|valueNAOK|code))+$/i, ''))
  }

  /** Options with new ids; `listed` if only one of them can be chosen. */
  options(from: readonly ListedItem[], most: 'options' | 'listed' | 'rows' = 'options'): ListedOptions {
    const taken = new Set<string>()
    const codes = new Map<string, string>()
    const sameCodes = new Map<string, string[]>()
    const room = Math.max(0, Math.min(MAX_ITEMS[most], this.#optionsLeft))
    this.#optionsLeft -= Math.min(from.length, room)
    const options: Option[] = []
    for (const { value, said, other, exclusive, showIf } of from) {
      if (options.length >= room || this.#optionBytesLeft <= 0) {
        this.note('left-out', value)
        continue
      }
      const id = this.idAmong(value, taken)
      if (codes.has(value)) sameCodes.set(value, [...(sameCodes.get(value) ?? []), id])
      else codes.set(value, id)
      const option: Option = {
        id,
        label: this.text(said, 300),
        ...(showIf && { showIf }),
        ...(other && { other: true as const }),
        ...(exclusive && { exclusive: true as const }),
      }
      this.#optionBytesLeft -= countBytes(option)
      options.push(option)
    }
    return { options, codes, sameCodes }
  }

  rows(from: readonly ListedItem[]): { rows: Row[]; codes: Map<string, string> } {
    const { options, codes } = this.options(from, 'rows')
    return { rows: options.map(({ id, label, showIf }) => ({ id, label, ...(showIf && { showIf }) })), codes }
  }

  /**
   * Converts a condition: undefined if it always holds, or, with a note, if it says what ours cannot; `false` if it never holds.
   * @param said how the file says it, if it was parsed already
   */
  condition(expression: string | Expression, said = typeof expression === 'string' ? expression : ''): Condition | false | undefined {
    if (typeof expression === 'string' && ['', '1'].includes(expression.trim())) return undefined
    const parsed = typeof expression === 'string' ? this.parseCondition(expression) : expression
    const placed = parsed && this.#placeNames(parsed)
    const { built, losses = [] } = placed ? this.#convert(placed) : {}
    if (built === undefined) {
      const meant = placed && this.#calculations.expand(placed, (name) => this.#asked.has(name))
      const reason = explainLoss(meant, (name) => !this.find(name), this.explainUnknownName, losses)
      this.note(reason, said)
    }
    if (built === true && typeof expression === 'string' && !CONSTANT.test(said)) this.note('condition-always', said)
    if (built === true) return undefined
    return this.isCaseSensitive && typeof built === 'object' ? matchCase(built, (id) => this.#isText(id)) : built
  }

  /** Whether a condition can be converted whole. */
  canConvert(expression: Expression): boolean {
    return this.#convert(this.#placeNames(expression)).built !== undefined
  }

  #convert(placed: Expression) {
    const names = { find: (name: string) => this.find(name), findCalculation: (name: string) => this.#calculations.find(name) }
    return this.convertCondition(placed, names)
  }

  /** A value that the file calculates; conditions that name it are converted as if they said what it says. */
  calculation(names: readonly string[], expression: Expression): void {
    this.#calculations.add(names, this.#placeNames(expression))
  }

  #isText(questionId: string): boolean {
    return Array.from(this.#asked.values()).some(({ question }) => question.id === questionId && getComparedKind(question) === 'text')
  }

  #placeNames(expression: Expression): Expression {
    return mapNames(expression, (each) => ({ ...each, name: this.resolveName(each.name) }))
  }

  finish(texts: { title: Translated; intro: Translated; thanks: Translated }): ImportedSurvey {
    const pages = this.pages.filter((page) => page.questions.length > 0)
    for (const element of this.elements) {
      const isLost = element.kind === 'question' && element.became.length === 0
      element.outcome = isLost ? 'left-out' : element.notes.some(({ code }) => !UNCHANGING_NOTES.has(code)) ? 'changed' : 'carried'
    }
    return {
      ...texts,
      definition: { schema: 1, pages: pages.length > 0 ? pages : [{ id: 'page1', questions: [] }] },
      elements: this.elements,
      moreNotes: this.#moreNotes,
      languages: [...this.#unknownLanguages],
      hasSiteLanguage: this.#hasSiteLanguage,
    }
  }
}
