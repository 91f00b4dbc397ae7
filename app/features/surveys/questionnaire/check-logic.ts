import type { Fault } from '#app/lib/app-error.ts'
import type { Condition, ConditionTest, OtherAnswer } from './conditions.schema.ts'
import { getComparedKind, isComparedByItem } from './compared-kind.ts'
import { isOtherAnswer, listTests } from './conditions.ts'
import { MAX_LISTED_OPTIONS, MAX_OPTIONS } from './question-types/question-parts.schema.ts'
import { listEveryItem, listItems } from './item-lists.ts'
import { expandCarriedOptions } from './carried-options.ts'
import { ITEM_LISTS } from './walk-survey.ts'
import { isRelativeDay } from './relative-days.ts'
import { listPipedQuestions } from './piped-answers.ts'
import { PossibilityChecker, getAcceptedRange } from './possible-answers.ts'
import type { Definition, Page, Question } from '../surveys.schema.ts'
import { isTranslated } from './definition-texts.ts'
import { listReachableIds } from './paths.ts'

/**
 * Faults in a survey's logic: rules about something that does not exist or comes later, conditions that cannot hold, backward jumps,
 * unreachable pages. Pointers are relative to the definition as written, without carried choices.
 */
export function checkLogic(definition: Definition): Fault[] {
  const checker = new LogicChecker(definition)
  return [...checker.check(), ...listUnreachedPages(definition)]
}

class LogicChecker {
  readonly #definition: Definition
  /** Questions by id with their position in the survey. */
  readonly #questions = new Map<string, { question: Question; place: number }>()

  readonly #possible: PossibilityChecker

  constructor(definition: Definition) {
    this.#definition = definition
    const carried = expandCarriedOptions(definition)
    this.#possible = new PossibilityChecker(carried)
    let place = 0
    for (const page of carried.pages) {
      for (const question of page.questions) if (!question.removed) this.#questions.set(question.id, { question, place: place++ })
    }
  }

  check(): Fault[] {
    const { pages, quotas = [] } = this.#definition
    const faults: Fault[] = []
    let place = 0
    for (const [p, page] of pages.entries()) {
      const at = `/pages/${p}`
      faults.push(
        ...this.#condition(page.showIf, [], place, `${at}/showIf`),
        ...this.#texts({ title: page.title, intro: page.intro }, place, at),
      )
      for (const [q, question] of page.questions.entries()) {
        if (question.removed) continue
        faults.push(...this.#question(question, page, place, `${at}/questions/${q}`))
        place += 1
      }
      faults.push(...this.#jumps(page, p, place))
    }
    for (const [q, quota] of quotas.entries()) {
      faults.push(...this.#condition(quota.when, [], Infinity, `/quotas/${q}/when`), ...this.#ending(quota.end, `/quotas/${q}/end`))
    }
    return faults
  }

  #question(question: Question, page: Page, place: number, at: string): Fault[] {
    const shown = [page.showIf, question.showIf]
    const faults = [...this.#condition(question.showIf, [page.showIf], place, `${at}/showIf`), ...this.#texts(question, place, at)]
    for (const list of ITEM_LISTS) {
      // Thousands of options may have the same few conditions.
      const faultsByCondition = new Map<string, Fault[]>()
      for (const [index, { removed, showIf }] of listItems(question, list).entries()) {
        if (removed || !showIf) continue
        const key = JSON.stringify(showIf)
        const own = faultsByCondition.get(key) ?? this.#condition(showIf, shown, place, '')
        faultsByCondition.set(key, own)
        faults.push(...own.map((fault) => ({ ...fault, pointer: `${at}/${list}/${index}/showIf${fault.pointer ?? ''}` })))
      }
    }
    if ('carry' in question && question.carry) {
      const from = this.#questions.get(question.carry.question)
      if (!from || !('options' in from.question)) faults.push({ code: 'unknown-reference', pointer: `${at}/carry/question` })
      else if (from.place >= place) faults.push({ code: 'refers-later', pointer: `${at}/carry/question` })
      else faults.push(...this.#carriedCount(question, at))
    }
    return faults
  }

  /** A long list can only be carried over to a question that takes one. */
  #carriedCount({ id }: Question, at: string): Fault[] {
    const question = this.#questions.get(id)?.question
    if (!question || !('options' in question)) return []
    const max = question.type === 'one_choice' || question.type === 'dropdown' ? MAX_LISTED_OPTIONS : MAX_OPTIONS
    return question.options.length > max ? [{ code: 'too-many', pointer: `${at}/carry/question`, values: { max } }] : []
  }

  /**
   * @param given other conditions that hold whenever this one is evaluated
   * @param before the condition may only refer to questions before this position
   */
  #condition(condition: Condition | undefined, given: readonly (Condition | undefined)[], before: number, at: string): Fault[] {
    if (!condition) return []
    const empty = listEmptyGroups(condition, at)
    if (empty.length > 0) return empty.map((pointer) => ({ code: 'required', pointer }))
    const faults = listTests(condition, at).flatMap(({ test, at: pointer }) => this.#test(test, before, pointer))
    return faults.length > 0 ? faults : this.#impossible(condition, given, at)
  }

  #test(test: ConditionTest, before: number, pointer: string): Fault[] {
    const found = this.#questions.get(test.question)
    if (!found) return [{ code: 'unknown-reference', pointer: `${pointer}/question` }]
    if (found.place >= before) return [{ code: 'refers-later', pointer: `${pointer}/question` }]
    if (OPTION_TESTS.has(test.is) && !test.options?.length) return [{ code: 'required', pointer: `${pointer}/options` }]
    const takesValue = VALUE_TESTS.has(test.is)
    if (takesValue && test.value === undefined) return [{ code: 'required', pointer: `${pointer}/value` }]
    const ids = findChoosableIds(found.question)
    if (ids && test.options?.some((id) => !ids.has(id))) return [{ code: 'unknown-reference', pointer: `${pointer}/options` }]
    if (test.row !== undefined && ids && !ids.has(test.row)) return [{ code: 'unknown-reference', pointer: `${pointer}/row` }]
    if (isRelativeDay(test.value) && (found.question.type !== 'date' || !COMPARING_TESTS.has(test.is)))
      return [{ code: 'wrong-format', pointer: `${pointer}/value` }]
    if (isOtherAnswer(test.value)) return this.#otherAnswer(test, test.value, found.question, before, `${pointer}/value`)
    return takesValue && isBeyondRange(found.question, test.is, test.value) ? [{ code: 'out-of-range', pointer: `${pointer}/value` }] : []
  }

  #otherAnswer(test: ConditionTest, { question, row, plus = 0 }: OtherAnswer, tested: Question, before: number, pointer: string): Fault[] {
    const other = this.#questions.get(question)
    if (!other) return [{ code: 'unknown-reference', pointer }]
    if (other.place >= before) return [{ code: 'refers-later', pointer }]
    const kind = getComparedKind(tested)
    const isComparable = kind !== undefined && getComparedKind(other.question) === kind && COMPARING_TESTS.has(test.is)
    const isShiftable = plus === 0 || kind === 'number' || (kind === 'date' && Number.isInteger(plus) && Math.abs(plus) <= MOST_DAYS)
    if (!isComparable || !isShiftable || (row !== undefined) !== isComparedByItem(other.question))
      return [{ code: 'wrong-format', pointer }]
    return row === undefined || findChoosableIds(other.question)?.has(row) ? [] : [{ code: 'unknown-reference', pointer }]
  }

  /** A condition that no answers can meet, or an alternative in it that none can. */
  #impossible(condition: Condition, given: readonly (Condition | undefined)[], at: string): Fault[] {
    if (!this.#possible.canHold(condition, ...given)) return [{ code: 'never-true', pointer: at }]
    if ('any' in condition) return condition.any.flatMap((each, index) => this.#impossible(each, given, `${at}/any/${index}`))
    return []
  }

  /** References to earlier answers in texts. */
  #texts(part: object, before: number, at: string): Fault[] {
    return Object.entries(part).flatMap(([name, value]: [string, unknown]): Fault[] => {
      if (typeof value !== 'object' || value === null || name === 'showIf') return []
      if (!isTranslated(value)) return this.#texts(value, before, `${at}/${name}`)
      return Object.entries(value).flatMap(([language, text]) =>
        listPipedQuestions(text).flatMap((id): Fault[] => {
          const found = this.#questions.get(id)
          const pointer = `${at}/${name}/${language}`
          if (!found) return [{ code: 'unknown-reference', pointer }]
          return found.place >= before ? [{ code: 'refers-later', pointer }] : []
        }),
      )
    })
  }

  #jumps(page: Page, index: number, place: number): Fault[] {
    return (page.next ?? []).flatMap((rule, r): Fault[] => {
      const at = `/pages/${index}/next/${r}`
      const faults = this.#condition(rule.when, [page.showIf], place, `${at}/when`)
      if (rule.page === undefined) return [...faults, ...this.#ending(rule.end || undefined, `${at}/end`)]
      const target = this.#definition.pages.findIndex((each) => each.id === rule.page)
      if (target === -1) return [...faults, { code: 'unknown-reference', pointer: `${at}/page` }]
      return target <= index ? [...faults, { code: 'jumps-back', pointer: `${at}/page` }] : faults
    })
  }

  #ending(id: string | undefined, pointer: string): Fault[] {
    const known = id === undefined || (this.#definition.endings ?? []).some((ending) => ending.id === id)
    return known ? [] : [{ code: 'unknown-reference', pointer }]
  }
}

const OPTION_TESTS: ReadonlySet<ConditionTest['is']> = new Set(['any_of', 'all_of', 'none_of'])
const MOST_DAYS = 50_000
/** Tests that can compare with another answer. */
const COMPARING_TESTS: ReadonlySet<ConditionTest['is']> = new Set(['equals', 'not_equals', 'at_least', 'at_most', 'more_than', 'less_than'])
const VALUE_TESTS: ReadonlySet<ConditionTest['is']> = new Set([...COMPARING_TESTS, 'contains', 'chosen_at_least', 'chosen_at_most'])

/** Ids that a rule about the question may refer to; undefined if it has no list. */
function findChoosableIds(question: Question): ReadonlySet<string> | undefined {
  if (question.type === 'yes_no') return new Set(['yes', 'no'])
  if (question.type === 'consent') return new Set(['yes'])
  const known = choosableIds.get(question)
  if (known) return known.size > 0 ? known : undefined
  const ids = new Set(listEveryItem(question).map((item) => item.id))
  choosableIds.set(question, ids)
  return ids.size > 0 ? ids : undefined
}

const choosableIds = new WeakMap<Question, ReadonlySet<string>>()

/** True if no acceptable answer can reach the value. */
function isBeyondRange(question: Question, is: string, value: ConditionTest['value']): boolean {
  const [min, max] = getAcceptedRange(question)
  if (typeof value !== 'number') return false
  if (is === 'at_least') return value > max
  if (is === 'at_most') return value < min
  if (is === 'more_than') return value >= max
  if (is === 'less_than') return value <= min
  return is === 'equals' && (value < min || value > max)
}

/** Empty groups in a condition. */
function listEmptyGroups(condition: Condition, at: string): string[] {
  if (!('all' in condition) && !('any' in condition)) return []
  const [name, parts] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const)
  return parts.length === 0 ? [at] : parts.flatMap((part, index) => listEmptyGroups(part, `${at}/${name}/${index}`))
}

/** Unreachable pages: every earlier page jumps past them or ends the survey. */
function listUnreachedPages(definition: Definition): Fault[] {
  const reached = listReachableIds(definition)
  return definition.pages.flatMap(({ id }, index): Fault[] =>
    reached.has(id) ? [] : [{ code: 'never-reached', pointer: `/pages/${index}` }],
  )
}
