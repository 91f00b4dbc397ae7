import { isCalculation } from './list-cases.ts'
import type { ConditionTest } from '../questionnaire/conditions.schema.ts'
import { buildLinearTest, solveForTwo } from './build-linear.ts'
import { fitCondition } from './build-condition.ts'
import type { Built, NamedQuestion } from './build-test.ts'
import { isAnswered, isAnyChosen, isCountAtLeast, joinLogic, type Logic, negateLogic, type Tested, toCondition } from './logic.ts'
import type { ConditionLoss } from './explain-loss.ts'
import type { Expression, Operator } from './parse-expression.ts'
import {
  toOneCase,
  type Case,
  toConstant,
  listAnswerCases,
  listIds,
  buildMeasure,
  mergeCases,
  restrictCases,
  splitChoices,
  toCases,
  TooManyCasesError,
  toTested,
  type Value,
} from './xpath-cases.ts'
import { compareAnswers, compareConstants, compareCount, compareLength, compareTextWith, isOnlyChosen } from './xpath-comparisons.ts'
import { callFunction, type Constant, isDay, KEPT_TEXT, toKeptText, toNumber, toText, toTruth } from './xpath-values.ts'

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
    // One wrong letter would hide a question for good.
    const isMisnamed = logic === false && builder.hasUnknownOption
    const built = typeof logic === 'object' ? fitCondition(toCondition(logic)) : isMisnamed ? undefined : logic
    return { built, losses: logic === undefined ? [...builder.losses] : [] }
  } catch (error) {
    if (error instanceof TooManyCasesError) return { built: undefined, losses: ['condition-calculation'] }
    throw error
  }
}

type Measure = Extract<Value, { kind: 'measure' }>

const MAX_STEPS = 40_000
const DEEPEST_CALCULATION = 40

class XPathBuilder {
  readonly #names: XPathNames
  readonly #known = new Map<string, Case[]>()
  /** Why parts of it could not be converted. */
  readonly losses = new Set<ConditionLoss>()
  /** Whether it asks for an option that its question does not have. */
  hasUnknownOption = false
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
        return negateLogic(this.toLogic(expression.part))
      case 'compare':
        return this.#compareCases(expression)
      case 'call':
        if (expression.name === 'not' && expression.args[0]) return negateLogic(this.toLogic(expression.args[0]))
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
        return toOneCase(toConstant(expression.isNumber ? Number(expression.value) : expression.value))
      case 'name':
        return this.#evaluateName(expression)
      case 'call':
        return this.#evaluateCall(expression)
      case 'list':
        return toOneCase(undefined)
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
    if (asked || !calculation) return asked ? listAnswerCases(asked, name) : toOneCase(undefined)
    if (++this.#depth > DEEPEST_CALCULATION) throw new TooManyCasesError()
    const cases = this.#evaluate(calculation)
    this.#depth -= 1
    this.#known.set(name, cases)
    return cases
  }

  #evaluateCall({ name, args }: Extract<Expression, { kind: 'call' }>): Case[] {
    const [first, second, third] = args
    if (name === 'true' || name === 'false') return toOneCase(toConstant(name === 'true'))
    if (name === 'today' && !first) return toOneCase({ kind: 'measure', of: { kind: 'call', name, args: [] } })
    if ((name === 'not' || name === 'boolean') && first)
      return toCases(name === 'not' ? negateLogic(this.toLogic(first)) : this.toLogic(first))
    if (name === 'if' && first && second && third) {
      const when = this.toLogic(first)
      return mergeCases([...restrictCases(when, this.#evaluate(second)), ...restrictCases(negateLogic(when), this.#evaluate(third))])
    }
    if (name === 'coalesce' && first && second)
      return mergeCases(
        this.#evaluate(first)
          .flatMap(splitChoices)
          .flatMap(({ when, value }): Case[] =>
            value?.kind === 'constant' && toKeptText(value.value) === '' ? restrictCases(when, this.#evaluate(second)) : [{ when, value }],
          ),
      )
    if (name === 'selected') this.#noteUnknownOption(first, second)
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
      return toOneCase(value === undefined ? this.#lose(name) : toConstant(value))
    }
    if (!first || values.includes(undefined) || OUTSIDE_CALLS.has(name)) return toOneCase(this.#lose(name))
    switch (name) {
      case 'selected':
        return toCases(second?.kind === 'constant' ? this.#isSelected(first, toText(second.value).trim()) : undefined)
      case 'count-selected':
        return toOneCase(
          first.kind === 'choices' ? { kind: 'count', asked: first.asked } : first.kind === 'measure' ? toConstant(1) : undefined,
        )
      case 'string-length':
        return splitChoices({ when: true, value: first }).map(({ when, value }) => ({
          when,
          value: value?.kind === 'constant' ? toConstant(toText(value.value).length) : LENGTH,
        }))
      case 'string':
      case KEPT_TEXT:
        return toOneCase(
          first.kind === 'measure' || first.kind === 'count'
            ? { ...first, isText: true }
            : first.kind === 'length'
              ? { kind: 'some' }
              : first,
        )
      default:
        return toOneCase((isCalculation(name) ? buildMeasure(name, values) : undefined) ?? this.#lose(name))
    }
  }

  /** Notes why a function has no value here. */
  #lose(name: string): undefined {
    if (OUTSIDE_CALLS.has(name)) this.losses.add('condition-outside')
    else if (name === 'regex') this.losses.add('condition-pattern')
    else if (isCalculation(name) || FURTHER_CALCULATIONS.has(name)) this.losses.add('condition-calculation')
    else this.losses.add('condition-left-out')
  }

  #isSelected(value: Exclude<Value, undefined>, code: string): Logic | undefined {
    if (/\s/.test(code) || code === '') return false
    if (value.kind === 'choices') return isAnyChosen(toTested(value.asked), listIds(value.asked, code))
    return value.kind === 'measure' ? this.#compare('equal', value, toConstant(code)) : undefined
  }

  #noteUnknownOption(name: Expression | undefined, code: Expression | undefined): void {
    if (name?.kind !== 'name' || code?.kind !== 'value' || code.value === '') return
    const codes = this.#names.find(name.name)?.codes
    if (codes && codes.size > 0 && !codes.has(code.value)) this.hasUnknownOption = true
  }

  #compareCases({ operator, left, right }: Extract<Expression, { kind: 'compare' }>): Logic | undefined {
    this.#noteUnknownOption(left, right)
    this.#noteUnknownOption(right, left)
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
    return typeof isEqualTo === 'object' && isEqualTo.kind === 'test' ? isEqualTo.opposite() : negateLogic(isEqualTo)
  }

  #compareWith(operator: Operator, value: Exclude<Value, undefined>, than: Constant): Logic | undefined {
    if (typeof than === 'boolean') {
      const isTrue = this.#isTrue(value)
      return operator === 'equal' ? (than ? isTrue : negateLogic(isTrue)) : undefined
    }
    const number = toNumber(than)
    if (operator !== 'equal' && Number.isNaN(number)) return false
    switch (value.kind) {
      case 'measure':
        return this.#compareMeasureWith(operator, value, than, number)
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

  #compareMeasureWith(operator: Operator, { of, isText }: Measure, than: Constant, number: number): Logic | undefined {
    if (Number.isNaN(number) || (isDay(than) && !this.#isDay(of))) return false
    if (operator === 'equal' && isText && typeof than === 'string' && !isDay(than) && String(number) !== than) return false
    return this.#compareMeasures(operator, of, { kind: 'value', value: toText(than) })
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

const pickTested = ({ question, row }: ConditionTest): Tested => ({ question, ...(row !== undefined && { row }) })

/** Functions that look something up in another table or another program. */
const OUTSIDE_CALLS: ReadonlySet<string> = new Set(['instance', 'pulldata', 'indexed-repeat', 'random', 'uuid', 'version'])
const ZERO: Expression = { kind: 'value', value: '0' }
const LENGTH: Value = { kind: 'length' }

const DAY_CALLS: ReadonlySet<string> = new Set(['date', 'date-time', 'format-date', 'format-date-time'])
const FURTHER_CALCULATIONS: ReadonlySet<string> = new Set(['mod', 'min', 'max', 'pow', 'abs', 'ceiling', 'sum', 'concat'])

const MIRRORED: Partial<Record<Operator, Operator>> = { more: 'less', less: 'more', 'at-least': 'at-most', 'at-most': 'at-least' }
const OPPOSITES: Partial<Record<Operator, Operator>> = {
  more: 'at-most',
  less: 'at-least',
  'at-least': 'less',
  'at-most': 'more',
  equal: 'unequal',
}
