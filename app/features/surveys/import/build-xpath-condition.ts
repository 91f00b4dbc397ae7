import type { ConditionTest } from '../questionnaire/conditions.schema.ts'
import { getComparedKind } from '../questionnaire/compared-kind.ts'
import { buildLinearTest, solveForTwo, type TwoAnswers } from './build-linear.ts'
import { fitCondition } from './build-condition.ts'
import type { Built, NamedQuestion } from './build-test.ts'
import {
  isAnswered,
  isAnyChosen,
  isCountAtLeast,
  isInState,
  isUnanswered,
  joinLogic,
  type Logic,
  negate,
  type Tested,
  toCondition,
} from './logic.ts'
import type { ConditionLoss } from './explain-loss.ts'
import type { Expression, Operator } from './parse-expression.ts'
import { callFunction, type Constant, isDay, isEqual, KEPT_TEXT, listWords, toKeptText, toNumber, toText, toTruth } from './xpath-values.ts'

export interface XPathNames {
  /** The question that a name means. */
  find: (name: string) => NamedQuestion | undefined
  /** What the form calculates under a name. */
  findCalculation: (name: string) => Expression | undefined
}

/**
 * Converts a condition of XLSForm, by the rules of XPath in XForms: an unanswered question is an empty text, which is no number. It holds
 * for exactly the same answers.
 * @returns undefined if it says something that ours cannot
 */
export function buildXPathCondition(expression: Expression, names: XPathNames): { built: Built; losses: readonly ConditionLoss[] } {
  const builder = new XPathBuilder(names)
  try {
    const logic = builder.toLogic(expression)
    const built = typeof logic === 'object' ? fitCondition(toCondition(logic)) : logic
    return { built, losses: logic === undefined ? [...builder.losses] : [] }
  } catch (error) {
    if (error instanceof TooManyCasesError) return { built: undefined, losses: ['condition-calculation'] }
    throw error
  }
}

class TooManyCasesError extends Error {}

/** What an expression is worth; undefined if that cannot be said. */
type Value =
  | { kind: 'constant'; value: Constant }
  /** A number or a day, calculated from answers that are given. `isText` where a form keeps it as text. */
  | { kind: 'measure'; of: Expression; isText?: true }
  /** A text that is given. */
  | { kind: 'text'; asked: NamedQuestion }
  /** The chosen options, which may be none. */
  | { kind: 'choices'; asked: NamedQuestion }
  /** How many options are chosen. */
  | { kind: 'count'; asked: NamedQuestion; isText?: true }
  /** Some text of which only is known that it is not empty. */
  | { kind: 'some' }
  /** The length of such a text. */
  | { kind: 'length' }
  | undefined

/** Exactly one of an expression's cases holds. */
interface Case {
  when: Logic | undefined
  value: Value
}

const MAX_CASES = 400
const MAX_STEPS = 40_000
const DEEPEST_CALCULATION = 40

class XPathBuilder {
  readonly #names: XPathNames
  readonly #known = new Map<string, Case[]>()
  /** Why parts of it could not be said. */
  readonly losses = new Set<ConditionLoss>()
  #stepsLeft = MAX_STEPS
  #depth = 0

  constructor(names: XPathNames) {
    this.#names = names
  }

  toLogic(expression: Expression): Logic | undefined {
    switch (expression.kind) {
      case 'all':
      case 'any':
        return joinLogic(
          expression.kind,
          expression.parts.map((part) => this.toLogic(part)),
        )
      case 'not':
        return negate(this.toLogic(expression.part))
      case 'compare':
        return this.#compareCases(expression)
      case 'call':
        if (expression.name === 'not' && expression.args[0]) return negate(this.toLogic(expression.args[0]))
        if (expression.name === 'boolean' && expression.args[0]) return this.toLogic(expression.args[0])
        return this.#isTrueIn(this.#evaluate(expression))
      default:
        return this.#isTrueIn(this.#evaluate(expression))
    }
  }

  #isTrueIn(cases: readonly Case[]): Logic | undefined {
    return joinLogic(
      'any',
      cases.map(({ when, value }) => joinLogic('all', [when, this.#isTrue(value)])),
    )
  }

  #isTrue(value: Value): Logic | undefined {
    switch (value?.kind) {
      case 'constant':
        return toTruth(value.value)
      case 'measure':
        return value.isText || this.#isDay(value.of) || this.#compareMeasures('unequal', value.of, ZERO)
      case 'choices':
        return isAnswered(toTested(value.asked))
      case 'count':
        return value.isText || isCountAtLeast(toTested(value.asked), 1)
      case undefined:
        return undefined
      default:
        return true
    }
  }

  #isDay(of: Expression): boolean {
    if (of.kind === 'name') return this.#names.find(of.name)?.question.type === 'date'
    return of.kind === 'call' && (of.name === 'today' || (DAY_CALLS.has(of.name) && of.args[0] !== undefined && this.#isDay(of.args[0])))
  }

  #evaluate(expression: Expression): Case[] {
    this.#takeStep()
    switch (expression.kind) {
      case 'value':
        return always(constant(expression.isNumber ? Number(expression.value) : expression.value))
      case 'name':
        return this.#evaluateName(expression)
      case 'call':
        return this.#evaluateCall(expression)
      case 'list':
        return always(undefined)
      default:
        return toCases(this.toLogic(expression))
    }
  }

  #takeStep(): void {
    if (--this.#stepsLeft < 0) throw new TooManyCasesError()
  }

  #evaluateName({ name, braced }: Extract<Expression, { kind: 'name' }>): Case[] {
    const known = this.#known.get(name)
    if (known) return known
    const asked = braced ? this.#names.find(name) : undefined
    const calculation = asked ? undefined : this.#names.findCalculation(name)
    if (asked || !calculation) return asked ? listAnswerCases(asked, name) : always(undefined)
    if (++this.#depth > DEEPEST_CALCULATION) throw new TooManyCasesError()
    const cases = this.#evaluate(calculation)
    this.#depth -= 1
    this.#known.set(name, cases)
    return cases
  }

  #evaluateCall({ name, args }: Extract<Expression, { kind: 'call' }>): Case[] {
    const [first, second, third] = args
    if (name === 'true' || name === 'false') return always(constant(name === 'true'))
    if (name === 'today' && !first) return always({ kind: 'measure', of: { kind: 'call', name, args: [] } })
    if ((name === 'not' || name === 'boolean') && first) return toCases(name === 'not' ? negate(this.toLogic(first)) : this.toLogic(first))
    if (name === 'if' && first && second && third) {
      const when = this.toLogic(first)
      return mergeCases([...restrictCases(when, this.#evaluate(second)), ...restrictCases(negate(when), this.#evaluate(third))])
    }
    if (name === 'coalesce' && first && second)
      return mergeCases(
        this.#evaluate(first)
          .flatMap(splitChoices)
          .flatMap(({ when, value }): Case[] =>
            value?.kind === 'constant' && toKeptText(value.value) === '' ? restrictCases(when, this.#evaluate(second)) : [{ when, value }],
          ),
      )
    const given = args.map((arg) => this.#evaluate(arg))
    return mergeCases(this.#combineCases(given).flatMap(({ when, values }) => restrictCases(when, this.#call(name, values))))
  }

  /** Every combination of the cases of several values. */
  #combineCases(all: readonly (readonly Case[])[]): { when: Logic | undefined; values: Value[] }[] {
    return all.reduce<{ when: Logic | undefined; values: Value[] }[]>(
      (ways, cases) =>
        ways.flatMap((way) =>
          cases.flatMap(({ when, value }) => {
            this.#takeStep()
            const both = joinLogic('all', [way.when, when])
            return both === false ? [] : [{ when: both, values: [...way.values, value] }]
          }),
        ),
      [{ when: true, values: [] }],
    )
  }

  #call(name: string, values: readonly Value[]): Case[] {
    const [first, second] = values
    if (values.every((value) => value?.kind === 'constant')) {
      const value = callFunction(
        name,
        values.map((each) => each.value),
      )
      return always(value === undefined ? this.#lose(name) : constant(value))
    }
    if (!first || values.includes(undefined) || OUTSIDE_CALLS.has(name)) return always(this.#lose(name))
    switch (name) {
      case 'selected':
        return toCases(second?.kind === 'constant' ? this.#isSelected(first, toText(second.value).trim()) : undefined)
      case 'count-selected':
        return always(first.kind === 'choices' ? { kind: 'count', asked: first.asked } : first.kind === 'measure' ? constant(1) : undefined)
      case 'string-length':
        return splitChoices({ when: true, value: first }).map(({ when, value }) => ({
          when,
          value: value?.kind === 'constant' ? constant(toText(value.value).length) : LENGTH,
        }))
      case 'string':
      case KEPT_TEXT:
        return always(
          first.kind === 'measure' || first.kind === 'count'
            ? { ...first, isText: true }
            : first.kind === 'length'
              ? { kind: 'some' }
              : first,
        )
      default:
        return always((MEASURING_CALLS.has(name) ? measure(name, values) : undefined) ?? this.#lose(name))
    }
  }

  /** Notes why a function has no value here. */
  #lose(name: string): undefined {
    if (OUTSIDE_CALLS.has(name)) this.losses.add('condition-outside')
    else if (name === 'regex') this.losses.add('condition-pattern')
    else if (CALCULATING_CALLS.has(name)) this.losses.add('condition-calculation')
    else this.losses.add('condition-left-out')
  }

  #isSelected(value: Exclude<Value, undefined>, code: string): Logic | undefined {
    if (/\s/.test(code) || code === '') return false
    if (value.kind === 'choices') return isAnyChosen(toTested(value.asked), listIds(value.asked, code))
    return value.kind === 'measure' ? this.#compare('equal', value, constant(code)) : undefined
  }

  #compareCases({ operator, left, right }: Extract<Expression, { kind: 'compare' }>): Logic | undefined {
    const ways = this.#combineCases([this.#evaluate(left), this.#evaluate(right)])
    return joinLogic(
      'any',
      ways.map(({ when, values: [a, b] }) => joinLogic('all', [when, this.#compare(operator, a, b)])),
    )
  }

  #compare(operator: Operator, a: Value, b: Value): Logic | undefined {
    if (!a || !b) return undefined
    if (operator === 'unequal') return this.#differ(a, b)
    if (a.kind === 'constant' && b.kind === 'constant') return compareConstants(operator, a.value, b.value)
    if (a.kind === 'constant') return this.#compare(MIRRORED[operator] ?? operator, b, a)
    if (b.kind === 'constant') return this.#compareWith(operator, a, b.value)
    if (a.kind === 'measure' && b.kind === 'measure') return this.#compareMeasures(operator, a.of, b.of)
    return a.kind === 'text' && b.kind === 'text' && operator === 'equal'
      ? compareAnswers({ one: a.asked, other: b.asked, plus: 0, operator })
      : undefined
  }

  /** Here both values are known to be given, so what cannot be compared as equal differs. */
  #differ(a: Exclude<Value, undefined>, b: Exclude<Value, undefined>): Logic | undefined {
    const isEqualTo = this.#compare('equal', a, b)
    return typeof isEqualTo === 'object' && isEqualTo.kind === 'test' ? isEqualTo.opposite() : negate(isEqualTo)
  }

  #compareWith(operator: Operator, value: Exclude<Value, undefined>, than: Constant): Logic | undefined {
    if (typeof than === 'boolean') {
      const isTrue = this.#isTrue(value)
      return operator === 'equal' ? (than ? isTrue : negate(isTrue)) : undefined
    }
    const number = toNumber(than)
    if (operator !== 'equal' && Number.isNaN(number)) return false
    switch (value.kind) {
      case 'measure':
        if (Number.isNaN(number) || (isDay(than) && !this.#isDay(value.of))) return false
        if (operator === 'equal' && value.isText && typeof than === 'string' && !isDay(than) && String(number) !== than) return false
        return this.#compareMeasures(operator, value.of, { kind: 'value', value: toText(than) })
      case 'count':
        return Number.isNaN(number) ? false : compareCount(operator, toTested(value.asked), number)
      case 'length':
        return Number.isNaN(number) ? false : compareLength(operator, number)
      case 'choices':
        return operator === 'equal' ? isOnlyChosen(value.asked, toText(than)) : undefined
      case 'text':
        if (operator !== 'equal') return undefined
        if (than === '') return false
        return typeof than === 'string' && than.trim() === than ? compareTextWith(value.asked, than) : undefined
      default:
        return operator === 'equal' && than === '' ? false : undefined
    }
  }

  #compareMeasures(operator: Operator, left: Expression, right: Expression): Logic | undefined {
    if (operator === 'unequal')
      return joinLogic('any', [this.#compareMeasures('less', left, right), this.#compareMeasures('more', left, right)])
    const built = buildLinearTest(left, operator, right, this.#names.find)
    if (built === undefined) {
      const solved = solveForTwo(left, operator, right, this.#names.find)
      const compared = solved && compareAnswers(solved)
      if (compared === undefined) this.losses.add('condition-calculation')
      return compared
    }
    if (typeof built === 'boolean' || !('is' in built)) return typeof built === 'boolean' ? built : undefined
    return {
      kind: 'test',
      test: built,
      needs: [pickTested(built)],
      opposite: () => this.#compareMeasures(OPPOSITES[operator] ?? operator, left, right),
    }
  }
}

const constant = (value: Constant): Value => ({ kind: 'constant', value })
const always = (value: Value): Case[] => [{ when: true, value }]
const toTested = ({ question, row }: NamedQuestion): Tested => ({ question: question.id, ...(row !== undefined && { row }) })
const pickTested = ({ question, row }: ConditionTest): Tested => ({ question, ...(row !== undefined && { row }) })

/** Both truths as values. */
function toCases(logic: Logic | undefined): Case[] {
  if (logic === undefined) return always(undefined)
  return restrictCases(logic, always(constant(true))).concat(restrictCases(negate(logic), always(constant(false))))
}

const restrictCases = (when: Logic | undefined, cases: readonly Case[]): Case[] =>
  cases.flatMap((each) => {
    const both = joinLogic('all', [when, each.when])
    return both === false ? [] : [{ when: both, value: each.value }]
  })

/** One case for each constant. */
function mergeCases(cases: readonly Case[]): Case[] {
  const merged: Case[] = []
  const places = new Map<string, number>()
  for (const each of cases) {
    const key = each.value?.kind === 'constant' ? `${typeof each.value.value} ${each.value.value}` : undefined
    const place = key === undefined ? undefined : places.get(key)
    const known = place === undefined ? undefined : merged[place]
    if (place !== undefined && known) merged[place] = { ...known, when: joinLogic('any', [known.when, each.when]) }
    else {
      merged.push(each)
      if (key !== undefined) places.set(key, merged.length - 1)
    }
  }
  if (merged.length > MAX_CASES) throw new TooManyCasesError()
  return merged
}

const splitChoices = ({ when, value }: Case): Case[] => {
  if (value?.kind !== 'choices') return [{ when, value }]
  const of = toTested(value.asked)
  return [...restrictCases(isUnanswered(of), [{ when, value: constant('') }]), ...restrictCases(isAnswered(of), [{ when, value }])]
}

/** The cases of one answer. Of a question with one choice, each option is one. */
function listAnswerCases(asked: NamedQuestion, name: string): Case[] {
  const of = toTested(asked)
  const { question } = asked
  const given = (value: Value): Case[] => [
    { when: isUnanswered(of), value: constant('') },
    { when: isAnswered(of), value },
  ]
  switch (question.type) {
    case 'info':
      return always(constant(''))
    case 'one_choice':
    case 'dropdown':
    case 'matrix_one':
      return listChoiceCases(of, asked)
    case 'consent':
      return listChoiceCases(of, { ...asked, codes: new Map([['OK', 'yes']]) })
    case 'several_choices':
      return always({ kind: 'choices', asked })
    case 'number':
    case 'slider':
    case 'date':
      return given({ kind: 'measure', of: { kind: 'name', name, braced: true } })
    case 'short_text':
    case 'long_text':
    case 'phone':
      return given({ kind: 'text', asked })
    default:
      return given({ kind: 'some' })
  }
}

function listChoiceCases(of: Tested, { codes, sameCodes }: NamedQuestion): Case[] {
  const ids = [...codes].map(([code, id]) => [code, [id, ...(sameCodes?.get(code) ?? [])]] as const)
  const domain = ['', ...ids.flatMap(([, own]) => own)]
  return [['', ['']] as const, ...ids].map(([code, states]) => ({ when: isInState(of, domain, states), value: constant(code) }))
}

const listIds = ({ codes, sameCodes }: NamedQuestion, code: string): string[] => {
  const id = codes.get(code)
  return id === undefined ? [] : [id, ...(sameCodes?.get(code) ?? [])]
}

/** Exactly these options are chosen: a form writes them in the order of its choices. */
function isOnlyChosen(asked: NamedQuestion, text: string): Logic | undefined {
  const of = toTested(asked)
  if (text === '') return isUnanswered(of)
  const words = listWords(text)
  const order = words.map((word) => [...asked.codes.keys()].indexOf(word))
  if (words.join(' ') !== text || order.includes(-1)) return false
  if (order.some((place, index) => index > 0 && place <= (order[index - 1] ?? 0))) return undefined
  return joinLogic('all', [...words.map((word) => isAnyChosen(of, listIds(asked, word))), negate(isCountAtLeast(of, words.length + 1))])
}

function compareCount(operator: Operator, of: Tested, than: number): Logic | undefined {
  const atLeast = (count: number) => isCountAtLeast(of, count)
  switch (operator) {
    case 'at-least':
      return atLeast(Math.ceil(than))
    case 'more':
      return atLeast(Math.floor(than) + 1)
    case 'less':
      return negate(atLeast(Math.ceil(than)))
    case 'at-most':
      return negate(atLeast(Math.floor(than) + 1))
    case 'equal':
      return Number.isInteger(than) && than >= 0 && joinLogic('all', [atLeast(than), negate(atLeast(than + 1))])
    default:
      return undefined
  }
}

/** Of a text that is not empty, only comparisons with less than one character are decided. */
function compareLength(operator: Operator, than: number): Logic | undefined {
  const isBelow = { more: than < 1, 'at-least': than <= 1, less: than <= 1, 'at-most': than < 1, equal: than < 1 }[operator as string]
  if (!isBelow) return undefined
  return operator === 'more' || operator === 'at-least'
}

function compareConstants(operator: Operator, a: Constant, b: Constant): boolean | undefined {
  const [one, other] = [toNumber(a), toNumber(b)]
  switch (operator) {
    case 'equal':
      return isEqual(a, b)
    case 'more':
      return one > other
    case 'less':
      return one < other
    case 'at-least':
      return one >= other
    case 'at-most':
      return one <= other
    default:
      return undefined
  }
}

function compareTextWith(asked: NamedQuestion, value: string): Logic {
  const of = toTested(asked)
  const create = (is: 'equals' | 'not_equals', other: 'equals' | 'not_equals'): Logic => ({
    kind: 'test',
    test: { ...of, is, value },
    needs: [of],
    opposite: () => create(other, is),
  })
  return create('equals', 'not_equals')
}

/** Compares the answers to two questions of one kind. */
function compareAnswers({ one, operator, other, plus }: TwoAnswers): Logic | undefined {
  const kind = getComparedKind(one.question)
  if (kind === undefined || kind !== getComparedKind(other.question) || kind === 'time') return undefined
  if (kind === 'date' && !Number.isInteger(plus)) {
    if (operator === 'equal') return false
    const isLater = operator === 'more' || operator === 'at-least'
    return compareAnswers({ one, other, plus: Math.floor(plus), operator: isLater ? 'more' : 'at-most' })
  }
  const is = COMPARING_TESTS[operator]
  const opposite = is && OPPOSITE_TESTS[is]
  if (!is || !opposite) return undefined
  const [of, than] = [toTested(one), toTested(other)]
  const create = (test: ConditionTest['is'], contrary: ConditionTest['is']): Logic => ({
    kind: 'test',
    test: { ...of, is: test, value: { ...than, ...(plus !== 0 && { plus }) } },
    needs: [of, than],
    opposite: () => create(contrary, test),
  })
  return create(is, opposite)
}

/** A calculation with an answer, unless it is empty because a part of it is. */
function measure(name: string, values: readonly Value[]): Value {
  const args: Expression[] = []
  for (const value of values) {
    if (value?.kind === 'measure') args.push(value.of)
    else if (value?.kind !== 'constant') return undefined
    else if (!FORMATTING_CALLS.has(name) && Number.isNaN(toNumber(value.value))) return constant(Number.NaN)
    else args.push({ kind: 'value', value: toText(value.value) })
  }
  return { kind: 'measure', of: { kind: 'call', name, args } }
}

/** Functions that look something up in another table or another program. */
const OUTSIDE_CALLS: ReadonlySet<string> = new Set(['instance', 'pulldata', 'indexed-repeat', 'random', 'uuid', 'version'])
const ZERO: Expression = { kind: 'value', value: '0' }
const LENGTH: Value = { kind: 'length' }

const DAY_CALLS: ReadonlySet<string> = new Set(['date', 'date-time', 'format-date', 'format-date-time'])
const FORMATTING_CALLS: ReadonlySet<string> = new Set(['format-date', 'format-date-time'])
const MEASURING_CALLS: ReadonlySet<string> = new Set([
  '+',
  '-',
  '*',
  'div',
  'floor',
  'int',
  'round',
  'number',
  'decimal-date-time',
  ...DAY_CALLS,
])

const CALCULATING_CALLS: ReadonlySet<string> = new Set([...MEASURING_CALLS, 'mod', 'min', 'max', 'pow', 'abs', 'ceiling', 'sum', 'concat'])

const MIRRORED: Partial<Record<Operator, Operator>> = { more: 'less', less: 'more', 'at-least': 'at-most', 'at-most': 'at-least' }
const OPPOSITES: Partial<Record<Operator, Operator>> = {
  more: 'at-most',
  less: 'at-least',
  'at-least': 'less',
  'at-most': 'more',
  equal: 'unequal',
}
const COMPARING_TESTS: Partial<Record<Operator, ConditionTest['is']>> = {
  equal: 'equals',
  more: 'more_than',
  less: 'less_than',
  'at-least': 'at_least',
  'at-most': 'at_most',
}
const OPPOSITE_TESTS: Partial<Record<ConditionTest['is'], ConditionTest['is']>> = {
  equals: 'not_equals',
  more_than: 'at_most',
  less_than: 'at_least',
  at_least: 'less_than',
  at_most: 'more_than',
}
