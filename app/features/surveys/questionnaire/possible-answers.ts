import type { Condition, ConditionTest } from './conditions.schema.ts'
import type { Definition, Page, Question, Row } from '../surveys.schema.ts'

/** A condition with more alternatives than this is not analysed and counts as possible. */
const MAX_WAYS = 400

/** Tests that must all hold. */
type JointTests = readonly ConditionTest[]

/**
 * Whether conditions can hold at all, for any answers. A question in a condition must itself be shown, so its own conditions count as well.
 * Errs on one side only: what it calls impossible never holds.
 */
export class PossibilityChecker {
  readonly #questions = new Map<string, { question: Question; page: Page }>()
  readonly #shown = new Map<string, JointTests[] | undefined>()

  /** @param definition with carried choices expanded */
  constructor(definition: Definition) {
    for (const page of definition.pages)
      for (const question of page.questions) if (!question.removed) this.#questions.set(question.id, { question, page })
  }

  /** Whether all the conditions can hold together. */
  canHold(...conditions: (Condition | undefined)[]): boolean {
    const ways = this.#every(conditions.filter((each) => each !== undefined))
    return ways === undefined || ways.some((way) => this.#fits(way))
  }

  /** The ways to meet a condition; undefined if there are too many. */
  #ways(condition: Condition): JointTests[] | undefined {
    if ('all' in condition) return this.#every(condition.all)
    if ('any' in condition) {
      const ways = condition.any.map((each) => this.#ways(each))
      return ways.some((each) => each === undefined) ? undefined : limitWays(ways.flatMap((each) => each ?? []))
    }
    if (!needsAnswer(condition)) return [[condition]]
    return combineWays([[condition]], this.#whenShown(condition.question))
  }

  #every(conditions: readonly Condition[]): JointTests[] | undefined {
    return conditions.reduce<JointTests[] | undefined>((ways, each) => combineWays(ways, this.#ways(each)), [[]])
  }

  /** The ways in which a question gets shown. */
  #whenShown(id: string): JointTests[] | undefined {
    if (this.#shown.has(id)) return this.#shown.get(id)
    // Breaks cycles: a question whose rules lead back to itself is reported elsewhere.
    this.#shown.set(id, [[]])
    const { question, page } = this.#questions.get(id) ?? {}
    const ways = this.#every([page?.showIf, question?.showIf].filter((each) => each !== undefined))
    this.#shown.set(id, ways)
    return ways
  }

  #fits(tests: JointTests): boolean {
    const byQuestion = Map.groupBy(tests, (test) => test.question)
    return Array.from(byQuestion).every(([id, own]) => {
      const question = this.#questions.get(id)?.question
      if (!question) return true
      const whole = own.filter((test) => test.row === undefined)
      if (whole.some(({ is }) => is === 'unanswered') && own.some(needsAnswer)) return false
      const byRow = Map.groupBy(own, (test) => test.row)
      return Array.from(byRow, ([row, each]) => canAnswerMeet(question, row, each)).every(Boolean)
    })
  }
}

const HOLD_UNANSWERED: ReadonlySet<ConditionTest['is']> = new Set(['unanswered', 'none_of', 'chosen_at_most'])

const needsAnswer = ({ is, value }: ConditionTest): boolean => (is === 'chosen_at_least' ? Number(value) > 0 : !HOLD_UNANSWERED.has(is))

const limitWays = (ways: JointTests[]): JointTests[] | undefined => (ways.length > MAX_WAYS ? undefined : ways)

function combineWays(a: JointTests[] | undefined, b: JointTests[] | undefined): JointTests[] | undefined {
  if (!a || !b || a.length * b.length > MAX_WAYS) return undefined
  return a.flatMap((first) => b.map((second) => [...first, ...second]))
}

/** Whether one answer, or one row of an answer, can meet all the tests. */
function canAnswerMeet(question: Question, row: string | undefined, tests: JointTests): boolean {
  const answered = tests.some(needsAnswer)
  if (answered && tests.some(({ is }) => is === 'unanswered')) return false
  if (!answered) return true
  const options = findChoosableOptions(question, row)
  if (options) return canOptionsMeet(question, options, tests)
  return canValuesMeet(question, tests)
}

/** The options of one answer; undefined if it has none, or if a test covers several rows at once. */
function findChoosableOptions(question: Question, row: string | undefined): readonly Row[] | undefined {
  if (question.type === 'yes_no')
    return [
      { id: 'yes', label: {} },
      { id: 'no', label: {} },
    ]
  if (question.type === 'consent') return [{ id: 'yes', label: {} }]
  if ('columns' in question) return row === undefined ? undefined : question.columns
  return 'options' in question && question.type !== 'ranking' && question.type !== 'budget' ? question.options : undefined
}

function canOptionsMeet(question: Question, options: readonly Row[], tests: JointTests): boolean {
  const listOptionsOf = (is: ConditionTest['is']) => tests.filter((test) => test.is === is).map((test) => test.options ?? [])
  const barred = new Set(listOptionsOf('none_of').flat())
  const open = new Set(options.flatMap(({ id, removed }) => (removed || barred.has(id) ? [] : [id])))
  const must = new Set(listOptionsOf('all_of').flat())
  if (Array.from(must).some((id) => !open.has(id)) || must.size > getMostChoices(question)) return false
  if (must.size > 1 && options.some((option) => must.has(option.id) && 'exclusive' in option && option.exclusive)) return false
  if (!canCountMeet(tests, must.size, Math.min(open.size, getMostChoices(question)))) return false
  // A test without options is still being edited.
  const either = listOptionsOf('any_of')
    .filter((ids) => ids.length > 0)
    .map((ids) => ids.filter((id) => open.has(id)))
  if (either.some((ids) => ids.length === 0) || open.size === 0) return false
  if (getMostChoices(question) > 1) return true
  const [forced] = must
  const left = forced === undefined ? Array.from(open) : [forced]
  return left.some((id) => either.every((ids) => ids.includes(id)))
}

/** Whether so many options can be chosen as the tests demand. @param must how many have to be chosen @param may how many can be */
function canCountMeet(tests: JointTests, must: number, may: number): boolean {
  const listCounts = (is: ConditionTest['is']) => tests.flatMap((test) => (test.is === is ? [Number(test.value)] : []))
  const least = Math.max(must, ...listCounts('chosen_at_least'))
  const most = Math.min(may, ...listCounts('chosen_at_most'))
  return !(least > most)
}

function getMostChoices(question: Question): number {
  if (question.type === 'several_choices') return question.maxChoices ?? Infinity
  if (question.type === 'picture_choice') return question.maxChoices ?? Math.max(1, question.minChoices ?? 1)
  return question.type === 'matrix_several' ? Infinity : 1
}

function canValuesMeet(question: Question, tests: JointTests): boolean {
  const listValuesOf = (is: ConditionTest['is']) =>
    tests.flatMap((test) => (test.is === is && test.value !== undefined && typeof test.value !== 'object' ? [test.value] : []))
  // Tests that contradict each other only in capital letters count as possible.
  const exact = new Set(listValuesOf('equals').map((value) => String(value).trim().toLowerCase()))
  if (exact.size > 1) return false
  const [equal] = listValuesOf('equals')
  const [least, most] = getAcceptedRange(question)
  if (!TYPES_WITH_ORDER.has(question.type)) return true
  const lower = [...listValuesOf('at_least'), ...listValuesOf('more_than'), ...(equal === undefined ? [] : [equal]), least]
  const upper = [...listValuesOf('at_most'), ...listValuesOf('less_than'), ...(equal === undefined ? [] : [equal]), most]
  return lower.every((low) => upper.every((high) => typeof low !== typeof high || low <= high))
}

const TYPES_WITH_ORDER = new Set<Question['type']>(['rating', 'scale', 'nps', 'number', 'slider', 'ranking', 'budget', 'date', 'time'])

/** The smallest and the largest acceptable number. */
export function getAcceptedRange(question: Question): [least: number, most: number] {
  switch (question.type) {
    case 'rating':
      return [1, question.scale.max]
    case 'scale':
      return [question.scale.min, question.scale.max]
    case 'nps':
      return [0, 10]
    case 'number':
    case 'slider':
      return [question.min ?? -Infinity, question.max ?? Infinity]
    default:
      return [-Infinity, Infinity]
  }
}
