import type { ImportedElement } from '#app/features/surveys/import/import.schema.ts'
import { readSurveyFile } from '#app/features/surveys/import/read-survey-file.server.ts'
import { resolveRelativeDays } from '#app/features/surveys/questionnaire/relative-days.ts'
import { walkSurvey } from '#app/features/surveys/questionnaire/walk-survey.ts'
import type { Answers, Definition, Option, Page, Question } from '#app/features/surveys/surveys.schema.ts'
import type { Translated } from '#app/lib/translated.ts'
import { countAsked, ENOUGH_COPIES } from './count-copies.ts'
import { drawAnswer } from './draw-answer.ts'
import type { Judged, JudgedSurvey, Verdict } from './judged.ts'
import {
  type Filled,
  type Place,
  SITE_LANGUAGES,
  type SourceCondition,
  type SourceItem,
  type SourceQuestion,
  type SourceRepeat,
  type SourceSurvey,
  TODAY,
  UnjudgedError,
} from './source-survey.ts'

const FILLS = 240
/** More than a list of a question can have. */
const MOST_ITEMS = 1000
/** Notes that say that a condition is not there. */
const LOST = /^condition-(?!always|case)/
/** Notes by which a part is named as missing. */
const MISSING = /^(?:left-out|hidden|split|repeated|type-changed|became-text|no-text|setting-left-out)$/

/** Imports a file and says of each question, option and condition in it what became of it. */
export async function judgeSurvey(source: SourceSurvey, random: () => number): Promise<JudgedSurvey> {
  const { imported } = await readSurveyFile({ file: source.marked, locale: 'en', languages: SITE_LANGUAGES, choices: source.choices })
  const judge = new SurveyJudge(source, resolveRelativeDays(imported.definition, TODAY), imported.elements, random)
  return judge.run()
}

class SurveyJudge {
  readonly #source: SourceSurvey
  readonly #definition: Definition
  readonly #elements: readonly ImportedElement[]
  readonly #random: () => number
  readonly #places = new Map<string, Place[]>()
  /** Texts in all languages, by marks. */
  readonly #texts = new Map<string, Translated[]>()

  constructor(source: SourceSurvey, definition: Definition, elements: readonly ImportedElement[], random: () => number) {
    this.#source = source
    this.#definition = definition
    this.#elements = elements
    this.#random = random
    for (const { questions } of definition.pages)
      for (const question of questions) {
        this.#place(question.title, { question })
        if ('options' in question) for (const { id, label } of question.options) this.#place(label, { question, option: id })
        if ('rows' in question) for (const { id, label } of question.rows) this.#place(label, { question, row: id })
        if ('columns' in question) for (const { id, label } of question.columns) this.#place(label, { question, column: id })
      }
  }

  #place(text: Translated, place: Place): void {
    // A copy says its number after the mark.
    const whole = (text['en'] ?? Object.values(text)[0] ?? '').replace(/ \(\d+\)$/, '')
    // A field of a table has the marks of its row and its column.
    for (const mark of new Set([whole, ...whole.split(' – ')])) {
      this.#places.set(mark, [...(this.#places.get(mark) ?? []), place])
      this.#texts.set(mark, [...(this.#texts.get(mark) ?? []), text])
    }
  }

  #find = (mark: string): readonly Place[] => this.#places.get(mark) ?? []

  /** Marks of what is in the file once, and with us once for each copy or row. */
  get #repeatedMarks(): ReadonlySet<string> {
    this.#knownRepeatedMarks ??= new Set(
      this.#source.questions.flatMap(({ mark, lists, repeats = [], isByRow }) => [
        ...(repeats.length > 0 ? [mark] : []),
        ...(repeats.length > 0 || isByRow ? lists.flat().map((item) => item.mark) : []),
      ]),
    )
    return this.#knownRepeatedMarks
  }
  #knownRepeatedMarks: ReadonlySet<string> | undefined

  /** Questions that ask whether there is one more. */
  #listGates(repeats = this.#source.questions.flatMap((each) => each.repeats ?? [])): Set<string> {
    return new Set(repeats.flatMap(({ mark }) => this.#find(mark).map(({ question }) => question.id)))
  }

  run(): JudgedSurvey {
    const asked = this.#source.questions.filter(({ isAsked }) => isAsked)
    const placed = asked.filter((question) => this.#isPlaced(question))
    const conditions = new Set(this.#source.questions.flatMap((each) => [...each.conditions, ...listItemConditions(each)]))
    return {
      questions: asked.map((question) => this.#judgeQuestion(question)),
      options: placed.flatMap((question) => question.lists.flatMap((list) => this.#judgeItems(question, list))),
      conditions: Array.from(conditions, (condition) => this.#judgeCondition(condition)),
    }
  }

  #isPlaced({ mark, lists }: SourceQuestion): boolean {
    return this.#find(mark).length > 0 || lists.flat().some((item) => this.#find(item.mark).length > 0)
  }

  #notesAt(at: string, kind: ImportedElement['kind']) {
    return this.#elements.filter((each) => each.at === at.slice(0, 200) && each.kind === kind).flatMap(({ notes }) => notes)
  }

  #judgeQuestion(question: SourceQuestion): Judged {
    const { mark, name, type, fits, lists, languages } = question
    const judged = (verdict: Verdict, why: string): Judged => ({ verdict, why, name, text: type, isInFile: question.isInFile })
    const codes = this.#notesAt(name, 'question').map(({ code }) => code)
    const isNamed = codes.some((code) => MISSING.test(code))
    const placed = this.#find(mark).filter(({ option, row, column }) => (option ?? row ?? column) === undefined)
    const types = (placed.length > 0 ? placed : lists.flat().flatMap((item) => this.#find(item.mark))).map((place) => place.question.type)
    if (types.length === 0) return judged(isNamed ? 'named' : 'differs', isNamed ? codes.join(', ') : 'not there')
    const others = types.filter((each) => !fits.includes(each))
    if (others.length > 0) return judged(isNamed ? 'named' : 'differs', `became ${others.join(', ')}`)
    const lacking = placed.length > 0 ? this.#listLacking(mark, languages) : []
    if (lacking.length > 0) return judged('differs', `lacks ${lacking.join(', ')}`)
    const [verdict, why] = this.#judgeCopies(question, placed.length > 0 ? placed : this.#find(lists.flat()[0]?.mark ?? ''))
    return judged(verdict, why)
  }

  /** Whether what repeats is asked as often as the file demands and allows, each time if a participant says that there is one more. */
  #judgeCopies({ repeats = [], name }: SourceQuestion, places: readonly Place[]): [Verdict, string] {
    if (repeats.length === 0) return ['same', '']
    const count = places.length
    const multiply = (of: (repeat: SourceRepeat) => number) => repeats.reduce((product, repeat) => product * of(repeat), 1)
    const isNamed = repeats.some((repeat) =>
      (['page', 'question'] as const).some((kind) => this.#notesAt(repeat.name || name, kind).some(({ code }) => code === 'repeated')),
    )
    if (count < multiply(({ most }) => most) && !isNamed) return ['differs', `asked ${count} times`]
    if (count < multiply(({ most, least }) => Math.max(least, Math.min(most, ENOUGH_COPIES)))) return ['named', `asked ${count} times`]
    const gates = this.#listGates([...repeats])
    const asked = new Set(places.map(({ question }) => question.id))
    const countWith = (isYes: (gate: string) => boolean) => countAsked(this.#definition, asked, gates, isYes)
    const [least, all] = [countWith(() => false), countWith(() => true)]
    if (all !== count) return ['differs', `${all} of ${count} copies are asked`]
    if (
      least <
        Math.min(
          count,
          multiply((repeat) => repeat.least),
        ) ||
      least > multiply(({ start }) => start)
    )
      return ['differs', `${least} are always asked`]
    for (const [index, gate] of [...gates].entries()) {
      const without = countWith((each) => each !== gate)
      if (repeats.length === 1 ? without !== least + index : without >= all) return ['differs', `${gate} leaves ${without}`]
    }
    return ['same', '']
  }

  /** Languages in which the text of the file is missing. */
  #listLacking(mark: string, languages: readonly string[]): string[] {
    const texts = this.#texts.get(mark) ?? []
    return languages.filter((language) => !texts.some((text) => text[language as keyof Translated]?.split(' – ').includes(mark)))
  }

  #judgeItems(question: SourceQuestion, list: readonly SourceItem[]): Judged[] {
    const order = this.#listOrder(list)
    const notes = this.#notesAt(question.name, 'question')
    return list.map((item, index): Judged => {
      const judged = (verdict: Verdict, why: string): Judged => ({
        verdict,
        why,
        name: `${question.name} (${question.type})`,
        text: item.code,
        isInFile: true,
      })
      if (this.#find(item.mark).length === 0) {
        const isNamed = notes.some(
          ({ code, what }) =>
            code === 'left-out' || (code === 'hidden' && what === item.code) || (MISSING.test(code) && what.includes(item.code)),
        )
        return judged(
          item.conditions.some(({ text }) => text === '0' || text === 'false') ? 'not-asked' : isNamed ? 'named' : 'differs',
          'not there',
        )
      }
      if (order[index] === 'out of order' && !question.isReordered)
        return judged(notes.some(({ what }) => /order/i.test(what)) ? 'named' : 'differs', 'another order')
      const lacking = this.#listLacking(item.mark, item.languages)
      return lacking.length > 0 ? judged('differs', `lacks ${lacking.join(', ')}`) : judged('same', '')
    })
  }

  /** Whether items follow each other as in the file. */
  #listOrder(list: readonly SourceItem[]): ('in order' | 'out of order')[] {
    let last = -1
    return list.map(({ mark }) => {
      const [place] = this.#find(mark)
      if (!place) return 'in order'
      const at = this.#positionOf(place)
      const isAfter = at > last
      last = Math.max(last, at)
      return isAfter ? 'in order' : 'out of order'
    })
  }

  /** What a question offers may have become several questions, one after the other. */
  #positionOf({ question, option, row, column }: Place): number {
    const lists = question as unknown as Partial<Record<'options' | 'rows' | 'columns', Option[]>>
    const within = option === undefined ? (row === undefined ? lists.columns : lists.rows) : lists.options
    const id = option ?? row ?? column
    const at = this.#definition.pages.flatMap(({ questions }) => questions).indexOf(question)
    return at * MOST_ITEMS + (within?.findIndex((each) => each.id === id) ?? 0)
  }

  /** Notes that name a condition as lost. */
  #listLosses(condition: SourceCondition): string[] {
    const notes = this.#notesAt(condition.at, condition.of === 'page' ? 'page' : 'question')
    return notes
      .filter(({ code, what }) => {
        if (
          code === 'setting-left-out' &&
          condition.of === 'item' &&
          /VisibleIf/i.test(what) &&
          what.includes(condition.text.slice(0, 100))
        )
          return true
        if (!LOST.test(code)) return false
        if (!what || condition.isReworded || what.startsWith('triggers')) return true
        const said = what.slice(0, 200)
        return (
          condition.text.startsWith(said) ||
          said.startsWith(condition.text.slice(0, 200)) ||
          (condition.of === 'item' && what.includes(`(${condition.code})`))
        )
      })
      .map(({ code }) => code)
  }

  #judgeCondition(condition: SourceCondition): Judged {
    let isInFile = true
    const judged = (verdict: Verdict, why: string): Judged => ({ verdict, why, name: condition.at, text: condition.text, isInFile })
    try {
      const needed = this.#source.listNeeded(condition)
      this.#addNeeded(
        needed.flatMap((each) => [...each.conditions, ...listItemConditions(each)]),
        new Set(needed),
      )
    } catch (error) {
      if (!(error instanceof UnjudgedError)) throw error
      isInFile = !error.isOutside
    }
    const losses = this.#listLosses(condition)
    if (losses.length > 0) return judged('named', losses.join(', '))
    const witnesses = this.#listWitnesses(condition)
    if (witnesses.length === 0) return judged('not-asked', '')
    const faults = witnesses.map((witness) => this.#compare(condition, witness))
    const differing = faults.find((fault) => fault?.startsWith('differs'))
    if (differing) return judged('differs', differing)
    const unjudged = faults.find((fault) => fault !== undefined)
    return unjudged !== undefined && faults.every((fault) => fault !== undefined) ? judged('unjudged', unjudged) : judged('same', '')
  }

  /** What shows whether a condition holds: a question, or one of its items. */
  #listWitnesses(condition: SourceCondition): { question: SourceQuestion; item?: SourceItem }[] {
    if (condition.of === 'item')
      return this.#source.questions.flatMap((question) =>
        question.lists
          .flat()
          .flatMap((item) =>
            item.conditions.includes(condition) && question.isAsked && this.#isPlaced(question) ? [{ question, item }] : [],
          ),
      )
    const inside = this.#source.questions.filter((each) => each.isAsked && each.conditions.includes(condition) && this.#isPlaced(each))
    const bare = inside.filter(({ conditions }) => conditions.at(-1) === condition)
    return (bare.length > 0 ? bare : inside).slice(0, 6).map((question) => ({ question }))
  }

  /** @returns what is wrong; undefined if they mean the same */
  #compare(condition: SourceCondition, { question, item }: { question: SourceQuestion; item?: SourceItem }): string | undefined {
    const counted = [...question.conditions, ...(item && question.isCrossed ? listItemConditions(question) : (item?.conditions ?? []))]
    const needed = new Set<SourceQuestion>()
    try {
      this.#addNeeded(counted, needed)
    } catch (error) {
      if (error instanceof UnjudgedError) return `unjudged: ${error.message}`
      throw error
    }
    const literals = [question, ...needed]
      .flatMap((each) => each.conditions)
      .concat(counted)
      .flatMap((each) => this.#listLiterals(each))
    const reduced = this.#reduce([question, ...needed])
    const copies = this.#countCopies(question, item)
    let judged = 0
    let reason = ''
    for (let fill = 0; fill < FILLS; fill += 1) {
      const copy = fill % copies
      const find = (mark: string) => (this.#repeatedMarks.has(mark) ? pickCopy(this.#find(mark), copy, copies) : this.#find(mark))
      const walk = walkSurvey(reduced, this.#fill(needed, [...new Set(literals)]), 'seed')
      let meant: boolean
      try {
        meant = this.#isShown(question, item, { answers: walk.kept, find, copy })
      } catch (error) {
        if (!(error instanceof UnjudgedError)) throw error
        reason = error.message
        continue
      }
      judged += 1
      const shown = isPlacedIn(
        walk.pages.flatMap(({ questions }) => questions),
        find(item?.mark ?? question.mark),
        item ? [] : question.lists.flat().flatMap(({ mark }) => find(mark)),
      )
      if (shown !== meant)
        return `differs: the file says ${meant}, ours ${shown} (${this.#describe(question, item)}) for ${JSON.stringify(walk.kept)}`
    }
    return judged === 0 ? `unjudged: ${reason}` : undefined
  }

  #countCopies(question: SourceQuestion, item: SourceItem | undefined): number {
    const marks = [item?.mark ?? question.mark, ...question.lists.flat().map(({ mark }) => mark)]
    const mark = marks.find((each) => this.#repeatedMarks.has(each) && this.#find(each).length > 0)
    return mark === undefined ? 1 : this.#find(mark).length
  }

  /** Where a question is that became several. */
  #marksOf({ lists }: SourceQuestion): readonly Place[] {
    return lists.flat().flatMap(({ mark }) => this.#find(mark))
  }

  #describe(question: SourceQuestion, item: SourceItem | undefined): string {
    const [place] = [...this.#find(item?.mark ?? question.mark), ...this.#marksOf(question)]
    if (!place) return 'not there'
    const page = this.#definition.pages.find(({ questions }) => questions.includes(place.question))
    const lists = place.question as unknown as Partial<Record<string, Option[]>>
    const of = [...(lists['options'] ?? []), ...(lists['rows'] ?? [])].find(({ id }) => item && id === (place.option ?? place.row))
    return JSON.stringify([page?.showIf, place.question.showIf, of?.showIf])
  }

  #listLiterals(condition: SourceCondition): readonly string[] {
    try {
      return this.#source.listLiterals(condition)
    } catch (error) {
      if (error instanceof UnjudgedError) return []
      throw error
    }
  }

  #addNeeded(conditions: readonly SourceCondition[], needed: Set<SourceQuestion>): void {
    for (const condition of conditions) {
      if (this.#listLosses(condition).length > 0) continue
      for (const question of this.#source.listNeeded(condition)) {
        if (needed.has(question)) continue
        needed.add(question)
        this.#addNeeded([...question.conditions, ...listItemConditions(question)], needed)
      }
    }
  }

  #isShown(question: SourceQuestion, item: SourceItem | undefined, given: Omit<Filled, 'isShown'>): boolean {
    const known = new Map<SourceCondition, boolean>()
    const filled = {
      ...given,
      isShown: (each: SourceQuestion, part?: SourceItem): boolean =>
        [...each.conditions, ...(part?.conditions ?? [])].every((condition) => {
          const before = known.get(condition)
          if (before !== undefined) return before
          if (this.#listLosses(condition).length > 0) return true
          known.set(condition, false)
          const holds = this.#source.holds(condition, filled)
          known.set(condition, holds)
          return holds
        }),
    }
    // Of a row without a column nothing is seen.
    const across = item && question.isCrossed ? question.lists.filter((list) => list.length > 0 && !list.includes(item)) : []
    return filled.isShown(question, item) && across.every((list) => list.some((other) => filled.isShown(question, other)))
  }

  /** The survey with these questions only. */
  #reduce(kept: readonly SourceQuestion[]): Definition {
    const questions = new Set<Question>()
    const gates = this.#listGates()
    for (const each of kept) for (const place of [...this.#find(each.mark), ...this.#marksOf(each)]) questions.add(place.question)
    // The text beside an option became a question of its own.
    const isKept = (question: Question) =>
      questions.has(question) || gates.has(question.id) || Array.from(questions).some(({ id }) => question.id.startsWith(`${id}_`))
    const pages = this.#definition.pages.map((page): Page => ({ ...page, questions: page.questions.filter(isKept) }))
    return { ...this.#definition, pages }
  }

  #fill(needed: ReadonlySet<SourceQuestion>, literals: readonly string[]): Answers {
    // All copies are asked.
    const answers: Answers = Object.fromEntries(Array.from(this.#listGates(), (id) => [id, { choice: 'yes' }]))
    const blank = this.#random() * 0.6
    const named = new Set(literals)
    const isNamed = ({ label, id }: Option): boolean => named.has(this.#codeAt(label['en'] ?? '') ?? id)
    for (const each of needed)
      for (const { question } of [...this.#find(each.mark), ...this.#marksOf(each)]) {
        if (question.id in answers || this.#random() < blank) continue
        const answer = drawAnswer(question, { random: this.#random, literals, isNamed })
        if (answer !== undefined) answers[question.id] = answer
      }
    return answers
  }

  readonly #codes = new Map<string, string>()
  #codeAt(mark: string): string | undefined {
    if (this.#codes.size === 0)
      for (const question of this.#source.questions) for (const item of question.lists.flat()) this.#codes.set(item.mark, item.code)
    return this.#codes.get(mark)
  }
}

const listItemConditions = ({ lists }: SourceQuestion): SourceCondition[] => lists.flat().flatMap(({ conditions }) => conditions)

/** The places of one copy, of parts that have as many copies, more or fewer. */
function pickCopy(places: readonly Place[], copy: number, copies: number): readonly Place[] {
  const { length } = places
  if (length > 0 && copies % length === 0) return places.slice(Math.floor((copy * length) / copies)).slice(0, 1)
  return length % copies === 0 ? places.slice((copy * length) / copies, ((copy + 1) * length) / copies) : places
}

/** Whether one of the places, or of those that it became, is asked. */
function isPlacedIn(asked: readonly Question[], places: readonly Place[], parts: readonly Place[]): boolean {
  const isAsked = ({ question, option, row, column }: Place): boolean => {
    const shown = asked.find(({ id }) => id === question.id)
    if (!shown) return false
    const lists = shown as unknown as Partial<Record<'options' | 'rows' | 'columns', Option[]>>
    const offers = (list: keyof typeof lists, id: string | undefined) =>
      id === undefined || (lists[list] ?? []).some((item) => item.id === id)
    return offers('options', option) && offers('rows', row) && offers('columns', column)
  }
  return (places.length > 0 ? places : parts).some(isAsked)
}
