import { isConditionMet } from '#app/features/surveys/questionnaire/conditions.ts'
import { resolveRelativeDays } from '#app/features/surveys/questionnaire/relative-days.ts'
import { readSurveyFile } from '#app/features/surveys/import/read-survey-file.server.ts'
import type { ImportedElement } from '#app/features/surveys/import/import.schema.ts'
import type { Answer, Answers, Definition, Page, Question, QuestionType } from '#app/features/surveys/surveys.schema.ts'
import { countAsked, ENOUGH_COPIES } from './count-copies.ts'
import type { Judged, JudgedSurvey, Verdict } from './judged.ts'
import { findLine, type FormLine, listDependencies, NotXPathError, parseRelevant, readForm, type SourceForm } from './form-lines.ts'
import {
  Day,
  evaluateXPath,
  isDayText,
  listForeignCalls,
  listLiterals,
  parseXPath,
  toBoolean,
  toDay,
  toText,
  UnjudgedError,
  type XPath,
  type XValue,
} from './xpath.ts'

const TODAY = '2026-11-26'
const FILLS = 240
/** Notes that say a condition is not there. */
const NAMING = /^condition-(?!always)|^left-out$/

interface Placed {
  page: Page
  question: Question
  /** Of a grid, the row that the line became. */
  row?: string
}

/** Notes by which a question or an option is named as missing, or as another one. */
const MISSING = /^(?:left-out|hidden|repeated|type-changed|became-text|no-text|setting-left-out)$/

/** Imports a form and says of each question, choice and condition what became of it. @returns undefined if it is no XLSForm */
export async function judgeForm(file: Uint8Array, random: () => number): Promise<JudgedSurvey | undefined> {
  const form = await readForm(file)
  if (!form) return undefined
  const { imported } = await readSurveyFile({ file: form.numbered, locale: 'en', languages: ['en'], choices: {} })
  const judge = new FormJudge(form, resolveRelativeDays(imported.definition, TODAY), random)
  const listNotes = (line: FormLine) =>
    imported.elements
      .filter(({ at, kind }) => kind === (line.type === 'group' ? 'page' : 'question') && at === line.name.slice(0, 200))
      .flatMap(({ notes }) => notes)
  const notesOf = (line: FormLine) =>
    listNotes(line)
      .filter(
        ({ code, what }) =>
          NAMING.test(code) && (code === 'left-out' || !what || line.relevant.startsWith(what.slice(0, 250)) || what.startsWith('type')),
      )
      .map(({ code }) => code)
  return { ...judge.judgeLines(listNotes), conditions: judge.run(notesOf, imported.moreNotes > 0) }
}

class FormJudge {
  readonly #form: SourceForm
  readonly #definition: Definition
  readonly #lines: FormLine[]
  readonly #random: () => number
  readonly #placed = new Map<number, Placed[]>()
  readonly #parsed = new Map<string, XPath>()
  readonly #gates: ReadonlySet<string>

  constructor(form: SourceForm, definition: Definition, random: () => number) {
    this.#form = form
    this.#definition = definition
    // No question of a form is answered with yes or no: these ask whether there is one more.
    this.#gates = new Set(definition.pages.flatMap(({ questions }) => questions.flatMap(({ id, type }) => (type === 'yes_no' ? [id] : []))))
    this.#lines = form.lines
    this.#random = random
    for (const page of definition.pages)
      for (const question of page.questions) {
        this.#place(question.title['en'], { page, question })
        if (question.type === 'matrix_one') for (const row of question.rows) this.#place(row.label['en'], { page, question, row: row.id })
      }
  }

  #place(label: string | undefined, placed: Placed): void {
    const [, number] = /^line (\d+)$/.exec(label ?? '') ?? []
    if (number !== undefined) this.#placed.set(Number(number), [...(this.#placed.get(Number(number)) ?? []), placed])
  }

  /** What became of what the form asks, and of the choices it offers. */
  judgeLines(listNotes: (line: FormLine) => readonly Note[]): Pick<JudgedSurvey, 'questions' | 'options'> {
    const asked = this.#lines.filter(({ type, name }) => name !== '' && type !== 'group' && !UNSEEN.test(type))
    return {
      questions: asked.map((line) => this.#judgeQuestion(line, listNotes(line))),
      options: asked.filter(({ number }) => this.#placed.has(number)).flatMap((line) => this.#judgeOptions(line, listNotes(line))),
    }
  }

  #judgeQuestion(line: FormLine, notes: readonly Note[]): Judged {
    const type = TYPE_ALIASES[line.type] ?? line.type
    const judged = (verdict: Verdict, why: string): Judged => ({
      verdict,
      why,
      name: `${line.number} ${line.name}`,
      text: type,
      isInFile: Object.hasOwn(FITS, type),
    })
    const codes = notes.map(({ code }) => code)
    const isNamed = codes.some((code) => MISSING.test(code))
    const placed = this.#placed.get(line.number) ?? []
    if (placed.length === 0 && codes.includes('hidden')) return judged('not-asked', '')
    if (placed.length === 0) return judged(isNamed ? 'named' : 'differs', isNamed ? codes.join(', ') : 'not there')
    const others = placed.filter(({ question }) => !FITS[type]?.includes(question.type))
    if (others.length > 0) return judged(isNamed ? 'named' : 'differs', `became ${others[0]?.question.type}`)
    return judged(...this.#judgeCopies(line, placed))
  }

  /** Whether what repeats is asked as often as the form says, or each time if a participant says that there is one more. */
  #judgeCopies({ around }: FormLine, placed: readonly Placed[]): [Verdict, string] {
    const counts = around.flatMap(({ isRepeat, repeatCount }) => (isRepeat ? [Number(repeatCount || Number.NaN)] : []))
    const multiply = (usual: number) => counts.reduce((product, count) => product * (count >= 1 ? Math.round(count) : usual), 1)
    if (placed.length < multiply(ENOUGH_COPIES)) return ['named', `asked ${placed.length} times`]
    const isCounted = around.some(({ isRepeat, repeatCount }) => isRepeat && repeatCount !== '' && Number.isNaN(Number(repeatCount)))
    if (isCounted || placed.length === 1) return ['same', '']
    const asked = new Set(placed.map(({ question }) => question.id))
    const [least, all] = [false, true].map((isYes) => countAsked(this.#definition, asked, this.#gates, () => isYes))
    return least === multiply(1) && all === placed.length ? ['same', ''] : ['differs', `${least} to ${all} of ${placed.length} are asked`]
  }

  #judgeOptions(line: FormLine, notes: readonly Note[]): Judged[] {
    const [placed] = this.#placed.get(line.number) ?? []
    if (!placed || !/^select_|^rank$/.test(line.type)) return []
    const { question } = placed
    const items = 'columns' in question ? question.columns : 'options' in question ? question.options : []
    let last = -1
    return (this.#form.lists.get(line.list) ?? []).map((index): Judged => {
      const code = this.#form.choices.get(index) ?? ''
      const at = items.findIndex(({ label }) => label['en'] === `line ${index}`)
      const isAfter = at > last
      last = Math.max(last, at)
      const isNamed = notes.some(({ code: note, what }) => MISSING.test(note) && what === code)
      const verdict = at !== -1 && isAfter ? 'same' : at === -1 && isNamed ? 'named' : 'differs'
      const why = verdict === 'same' ? '' : at === -1 ? 'not there' : 'another order'
      return { verdict, why, name: `${line.number} ${line.name}`, text: code, isInFile: true }
    })
  }

  run(notesOf: (line: FormLine) => string[], isCut: boolean): Judged[] {
    const isLost = (line: FormLine) => isCut || notesOf(line).some((code) => NAMING.test(code))
    return this.#lines.flatMap((line): Judged[] => {
      if (!line.relevant || line.type === 'calculate' || line.relevant === 'true()' || line.relevant === '1') return []
      const codes = notesOf(line)
      const judged = (verdict: Verdict, why: string): Judged[] => [
        {
          name: `${line.number} ${line.name}`,
          text: line.relevant,
          verdict,
          why,
          isInFile: this.#isInFile(line) && !codes.includes('condition-outside'),
        },
      ]
      const witnesses = this.#listWitnesses(line)
      if (isLost(line))
        return judged(
          codes.includes('left-out') && !codes.some((code) => code.startsWith('condition')) ? 'not-asked' : 'named',
          codes.join(', '),
        )
      if (witnesses.length === 0) return judged('not-asked', '')
      const faults = witnesses.map((witness) => this.#compare(witness, isLost))
      const differing = faults.find((fault) => fault?.startsWith('differs'))
      if (differing) return judged('differs', differing)
      const unjudged = faults.find((fault) => fault !== undefined)
      return unjudged && faults.every((fault) => fault !== undefined) ? judged('unjudged', unjudged) : judged('same', '')
    })
  }

  #isInFile(line: FormLine): boolean {
    try {
      const needed = listDependencies(this.#lines, line, this.#parse(line.relevant))
      const texts = [line, ...needed].flatMap((each) => [each.relevant, each === line ? '' : each.calculation]).filter(Boolean)
      if (texts.some((text) => listForeignCalls(this.#parse(text)).length > 0)) return false
      return Array.from(needed).every((each) => (each.type === 'calculate' ? each.calculation !== '' : this.#isAsked(each)))
    } catch {
      return false
    }
  }

  #isAsked = (line: FormLine): boolean => line.type === 'note' || this.#placed.has(line.number)

  /** What shows whether the condition of a line holds: what it asks, or what is asked inside without a condition of its own. */
  #listWitnesses(line: FormLine): FormLine[] {
    if (line.type !== 'group') return line.type === 'calculate' || !this.#wasAsked(line) ? [] : [line]
    const inside = this.#lines.filter(
      (each) => each.around.includes(line) && each.type !== 'group' && each.type !== 'calculate' && this.#wasAsked(each),
    )
    const own = inside.filter(
      (each) => !each.relevant && each.around.slice(each.around.indexOf(line) + 1).every(({ relevant }) => !relevant),
    )
    return own.length > 0 ? own.slice(0, 6) : []
  }

  /** A line that never shows is left out by the importer, so only types that it asks count. */
  #wasAsked(line: FormLine): boolean {
    return this.#placed.has(line.number) || ASKED.test(line.type)
  }

  #parse(text: string): XPath {
    const parsed = this.#parsed.get(text) ?? parseRelevant(text)
    this.#parsed.set(text, parsed)
    return parsed
  }

  /** @returns what is wrong; undefined if they mean the same */
  #compare(line: FormLine, isLost: (line: FormLine) => boolean): string | undefined {
    const counted = [...line.around, line].filter((each) => each.relevant && !isLost(each))
    const needed = new Set<FormLine>()
    try {
      this.#addNeeded(line, counted, needed)
      for (const each of needed) for (const text of [each.calculation, each.relevant]) if (text) this.#parse(text)
    } catch (error) {
      if (error instanceof NotXPathError || error instanceof UnjudgedError) return `unjudged: ${error.message}`
      throw error
    }
    const copies = this.#placed.get(line.number)?.length ?? 1
    let judged = 0
    let reason = ''
    for (let fill = 0; fill < FILLS; fill += 1) {
      const copy = fill % copies
      const answers = this.#fill(needed, counted)
      let meant: boolean
      try {
        meant =
          this.#hasCopy(line, answers, copy, copies) &&
          counted.every((each) => toBoolean(this.#evaluate(each, this.#parse(each.relevant), answers, copy, copies)))
      } catch (error) {
        if (!(error instanceof UnjudgedError)) throw error
        reason = error.message
        continue
      }
      judged += 1
      const placed = this.#placed.get(line.number)?.[copy]
      const shown =
        placed !== undefined && [placed.page.showIf, placed.question.showIf].every((each) => !each || isConditionMet(each, answers))
      if (shown !== meant) {
        const named = Array.from(needed).flatMap((each) => (this.#placed.get(each.number) ?? []).map(({ question }) => question.id))
        const said = Object.fromEntries(Object.entries(answers).filter(([id]) => named.includes(id)))
        return `differs: the form says ${meant}, ours ${shown} (${placed ? JSON.stringify([placed.page.showIf, placed.question.showIf]) : 'never asked'}) for ${JSON.stringify(said)}`
      }
    }
    return judged === 0 ? `unjudged: ${reason}` : undefined
  }

  #addNeeded(line: FormLine, counted: readonly FormLine[], needed: Set<FormLine>): void {
    for (const each of counted) listDependencies(this.#lines, each, this.#parse(each.relevant), needed)
    for (const each of line.around)
      if (each.isRepeat && each.repeatCount) listDependencies(this.#lines, each, this.#parse(each.repeatCount), needed)
  }

  /** Whether a count in the form, which an answer gives, reaches this copy. */
  #hasCopy({ around }: FormLine, answers: Answers, copy: number, copies: number): boolean {
    const repeats = around.filter((each) => each.isRepeat)
    const counted = repeats.filter(({ repeatCount }) => repeatCount !== '' && Number.isNaN(Number(repeatCount)))
    if (copies === 1 || counted.length === 0) return true
    const [only] = counted
    if (repeats.length > 1 || !only) throw new UnjudgedError('counted copies in copies')
    const count = toText(this.#evaluate(only, this.#parse(only.repeatCount), answers, copy, copies))
    return count !== '' && Number(count) >= copy + 1
  }

  #evaluate(from: FormLine, expression: XPath, answers: Answers, copy: number, copies: number): XValue {
    const look = (reference: { kind: 'named' | 'path'; name: string }) =>
      this.#valueOf(findLine(this.#lines, from, reference), answers, copy, copies)
    return evaluateXPath(expression, {
      named: (name) => look({ kind: 'named', name }),
      path: (name) => look({ kind: 'path', name }),
      today: toDay(TODAY),
    })
  }

  #valueOf(line: FormLine, answers: Answers, copy: number, copies: number): XValue {
    if (line.type === 'calculate') {
      if (!line.calculation) throw new UnjudgedError(`outside: ${line.name}`)
      const shown = [...line.around, line].filter((each) => each.relevant)
      if (!shown.every((each) => toBoolean(this.#evaluate(each, this.#parse(each.relevant), answers, copy, copies)))) return ''
      const value = this.#evaluate(line, parseXPath(line.calculation), answers, copy, copies)
      if (value instanceof Day) return value.toString()
      // JavaRosa keeps no value for NaN, and text for everything else.
      return typeof value === 'number' && Number.isNaN(value) ? '' : toText(value)
    }
    if (line.type === 'note') return ''
    const placed = this.#placed.get(line.number)
    if (!placed) throw new UnjudgedError(ASKED.test(line.type) ? `never asked: ${line.name}` : `outside: ${line.name}`)
    if (placed.length > 1 && placed.length !== copies) throw new UnjudgedError(`several copies: ${line.name}`)
    const it = placed[placed.length > 1 ? copy : 0]
    return it ? this.#toSource(it, line, answers[it.question.id]) : ''
  }

  /** The answer as the form would hold it. */
  #toSource({ question, row }: Placed, line: FormLine, answer: Answer | undefined): XValue {
    if (answer === undefined) return ''
    if (typeof answer === 'number') return answer
    if (typeof answer === 'string') return question.type === 'date' && isDayText(answer) ? toDay(answer) : answer
    const codeOf = (id: string): string => {
      const items = 'columns' in question ? question.columns : 'options' in question ? question.options : []
      const [, number] = /^line (\d+)$/.exec(items.find((item) => item.id === id)?.label['en'] ?? '') ?? []
      return number === undefined ? 'other' : (this.#form.choices.get(Number(number)) ?? '')
    }
    if ('choice' in answer) return question.type === 'consent' ? 'OK' : codeOf(answer.choice)
    if ('choices' in answer && 'options' in question)
      return question.options.flatMap(({ id }) => (answer.choices.includes(id) ? [codeOf(id)] : [])).join(' ')
    if ('rows' in answer && row !== undefined) return (answer.rows[row] ?? []).map(codeOf).join(' ')
    throw new UnjudgedError(`answers to ${line.type}`)
  }

  #fill(needed: ReadonlySet<FormLine>, counted: readonly FormLine[]): Answers {
    const literals = [
      ...counted.map(({ relevant }) => relevant),
      ...Array.from(needed, ({ calculation, relevant }) => [calculation, relevant]).flat(),
    ]
      .filter(Boolean)
      .flatMap((text) => listLiterals(this.#parse(text)))
    // All copies are asked.
    const answers: Answers = Object.fromEntries(Array.from(this.#gates, (id) => [id, { choice: 'yes' }]))
    const blank = this.#random() * 0.6
    for (const line of needed)
      for (const { question, row } of this.#placed.get(line.number) ?? []) {
        if (this.#random() < blank) continue
        const answer = this.#draw(question, literals.map(String))
        const known = answers[question.id]
        if (
          row !== undefined &&
          answer !== undefined &&
          typeof answer === 'object' &&
          'rows' in answer &&
          typeof known === 'object' &&
          'rows' in known
        )
          answers[question.id] = { rows: { ...known.rows, ...answer.rows } }
        else if (answer !== undefined) answers[question.id] = answer
      }
    return answers
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)]
  }

  #draw(question: Question, literals: readonly string[]): Answer | undefined {
    const numbers = literals.map(Number).filter((each) => Number.isFinite(each))
    switch (question.type) {
      case 'one_choice':
      case 'dropdown': {
        const mentioned = question.options.filter((option) => literals.includes(this.#codeAt(option.label['en'])))
        const option = this.#random() < 0.6 ? (this.#pick(mentioned) ?? this.#pick(question.options)) : this.#pick(question.options)
        return option && { choice: option.id }
      }
      case 'several_choices': {
        const share = this.#random()
        const chosen = question.options.filter(
          (option) => this.#random() < (literals.includes(this.#codeAt(option.label['en'])) ? 0.5 : share * 0.5),
        )
        return chosen.length > 0 ? { choices: chosen.map(({ id }) => id) } : undefined
      }
      case 'consent':
        return { choice: 'yes' }
      case 'number': {
        const near = (this.#pick(numbers) ?? 5) + (this.#pick([-1, 0, 0, 1, -0.5, 0.5, 12, -40, 300]) ?? 0)
        return question.decimals ? near : Math.round(near)
      }
      case 'slider':
        return this.#pick(
          Array.from({ length: 11 }, (_, index) => question.min + index * (question.step ?? 1)).filter((each) => each <= question.max),
        )
      case 'date': {
        const days = this.#pick([0, 1, -1, 7, -7, 30, -30, -280, -365, -366, -1000, -4000, -6574, -6575, -6576, -12000]) ?? 0
        const shift = this.#pick(numbers.filter((each) => Math.abs(each) < 4000)) ?? 0
        const given = this.#pick(literals.filter(isDayText))
        const from = given && this.#random() < 0.5 ? toDay(given).days : toDay(TODAY).days
        return new Day(
          Math.floor(from + (this.#random() < 0.5 ? days : -shift * (this.#pick([1, 7, 30, 365]) ?? 1) + (this.#pick([-1, 0, 1]) ?? 0))),
        ).toString()
      }
      case 'time':
        return this.#pick(['08:00', '12:00', '17:30'])
      case 'short_text':
      case 'long_text':
      case 'phone': {
        const text = this.#pick([...literals, 'abc', 'Some words', '5']) ?? 'abc'
        return this.#pick([text, text, text.toUpperCase(), `x${text}`, `${text} y`])?.trim() || 'a'
      }
      case 'matrix_one': {
        const rows = question.rows.flatMap((row): [string, string[]][] => {
          const column = this.#pick(question.columns)
          return this.#random() < 0.7 && column ? [[row.id, [column.id]]] : []
        })
        return rows.length > 0 ? { rows: Object.fromEntries(rows) } : undefined
      }
      case 'ranking':
        return undefined
      default:
        return undefined
    }
  }

  #codeAt(label: string | undefined): string {
    const [, number] = /^line (\d+)$/.exec(label ?? '') ?? []
    return number === undefined ? 'other' : (this.#form.choices.get(Number(number)) ?? '')
  }
}

type Note = ImportedElement['notes'][number]

/** What nobody sees. */
const UNSEEN =
  /^(?:calculate|hidden|start|end|today|deviceid|subscriberid|simserial|phonenumber|username|email|audit|background-audio|start-geopoint|xml-external|csv-external|caseid|background-geopoint|(?:begin|end)[ _].*)$/

const TYPE_ALIASES: Record<string, string> = {
  string: 'text',
  int: 'integer',
  photo: 'image',
  gps: 'geopoint',
  location: 'geopoint',
  datetime: 'dateTime',
  'phone number': 'tel',
  trigger: 'acknowledge',
}

/** Types of ours that ask the same; none for types that ours has no like of. */
const FITS: Record<string, readonly QuestionType[]> = {
  text: ['short_text', 'long_text', 'number'],
  integer: ['number'],
  decimal: ['number'],
  range: ['slider'],
  select_one: ['one_choice', 'dropdown', 'matrix_one'],
  select_multiple: ['several_choices'],
  rank: ['ranking'],
  date: ['date'],
  time: ['time'],
  dateTime: [],
  tel: ['phone'],
  geopoint: ['place'],
  geotrace: [],
  geoshape: [],
  image: ['file'],
  audio: [],
  video: [],
  file: ['file'],
  barcode: [],
  acknowledge: ['consent'],
  note: ['info'],
}

const ASKED =
  /^(?:note|text|string|integer|int|decimal|range|select_one|select_multiple|rank|date|time|datetime|acknowledge|trigger|tel|barcode|image|file|geopoint)$/
