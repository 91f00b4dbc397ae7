import type { Condition, ConditionTest } from '../questionnaire/conditions.schema.ts'
import type { Question } from '../surveys.schema.ts'
import { type Expression, type Operator, parseExpression } from './parse-expression.ts'

/** A question that a condition or a text can refer to, by the names that the file uses. */
export interface NamedQuestion {
  question: Question
  /** Ids of its options or columns by the file's values. */
  codes: ReadonlyMap<string, string>
  /** For the name of one row of a grid, or of one item of a ranking: its id. */
  row?: string
  /** For the name of one option of several: its id. */
  option?: string
}

/** A condition; `true` always holds, `false` never. */
type Built = Condition | boolean | undefined

/** Converts a condition of another tool. @returns undefined if it says something that ours cannot */
export function buildCondition(expression: string | Expression, find: (name: string) => NamedQuestion | undefined): Built {
  const parsed = typeof expression === 'string' ? parseExpression(expression) : expression
  return parsed && new ConditionBuilder(find).build(parsed, false)
}

/** Conditions that must all hold; undefined if there are none. */
export function joinAll(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const all = conditions.filter((each) => each !== undefined)
  return all.length > 1 ? { all } : all[0]
}

class ConditionBuilder {
  readonly #find: (name: string) => NamedQuestion | undefined

  constructor(find: (name: string) => NamedQuestion | undefined) {
    this.#find = find
  }

  build(expression: Expression, negated: boolean): Built {
    switch (expression.kind) {
      case 'all':
      case 'any':
        return joinConditions(
          expression.parts.map((part) => this.build(part, negated)),
          (expression.kind === 'all') === negated ? 'any' : 'all',
        )
      case 'not':
        return this.build(expression.part, !negated)
      case 'value':
        return isTrue(expression.value) !== negated
      case 'name':
        return this.#buildTruth(expression.name, negated)
      case 'call':
        return this.#buildCall(expression.name, expression.args, negated)
      case 'compare':
        return this.#buildComparison(expression, negated)
      case 'list':
        return undefined
    }
  }

  #buildTruth(name: string, negated: boolean): Built {
    const asked = this.#find(name)
    if (!asked) return undefined
    if (asked.option === undefined && (asked.question.type === 'yes_no' || asked.question.type === 'consent'))
      return buildTest(asked, negated ? 'unequal' : 'equal', ['true'])
    return buildTest(asked, negated ? 'unanswered' : 'answered', [])
  }

  #buildCall(name: string, args: readonly Expression[], negated: boolean): Built {
    const [first, second] = args
    if (name === 'true' || name === 'false') return (name === 'true') !== negated
    if (!first) return undefined
    if (name === 'not') return this.build(first, !negated)
    if (EMPTY_CALLS.has(name)) return this.#buildOperation(first, negated ? 'answered' : 'unanswered', [])
    if ((name === 'selected' || name === 'contains') && second?.kind === 'value')
      return this.#buildOperation(first, negated ? 'lacks' : 'contains', [second.value])
    return WRAPPING_CALLS.has(name) && args.length === 1 ? this.build(first, negated) : undefined
  }

  #buildComparison({ operator, left, right }: Extract<Expression, { kind: 'compare' }>, negated: boolean): Built {
    const meant = negated ? NEGATED[operator] : operator
    if (!meant) return undefined
    if (operator === 'answered' || operator === 'unanswered') return this.#buildOperation(left, meant, [])
    if (left.kind === 'value' && right.kind !== 'value')
      return this.#buildComparison({ kind: 'compare', operator: MIRRORED[operator] ?? operator, left: right, right: left }, negated)
    if (left.kind === 'value' && right.kind === 'value') return operator === 'equal' ? (left.value === right.value) !== negated : undefined
    const values = right.kind === 'value' ? [right.value] : right.kind === 'list' ? right.values : undefined
    if (!values) return undefined
    if (left.kind === 'call' && COUNTING_CALLS.has(left.name)) return this.#buildCount(left.args, operator, Number(values[0]), negated)
    if (left.kind === 'call' && left.name === 'selected' && isTrue(values[0] ?? '')) return this.build(left, negated)
    return this.#buildOperation(left, meant, values)
  }

  /** A count can only be asked as none or some. */
  #buildCount(args: readonly Expression[], operator: Operator, count: number, negated: boolean): Built {
    const some = (operator === 'more' && count === 0) || (operator === 'at-least' && count === 1) || (operator === 'unequal' && count === 0)
    const none = (operator === 'equal' && count === 0) || (operator === 'less' && count === 1) || (operator === 'at-most' && count === 0)
    if (some === none || args.length === 0) return undefined
    return joinConditions(
      args.map((arg) => this.#buildOperation(arg, some === negated ? 'unanswered' : 'answered', [])),
      some === negated ? 'all' : 'any',
    )
  }

  #buildOperation(left: Expression, operator: Operator, values: readonly string[]): Built {
    if (left.kind === 'call' && WRAPPING_CALLS.has(left.name) && left.args[0]) return this.#buildOperation(left.args[0], operator, values)
    if (left.kind !== 'name') return undefined
    const asked = this.#find(left.name)
    return asked && buildTest(asked, operator, values)
  }
}

function joinConditions(parts: readonly Built[], kind: 'all' | 'any'): Built {
  const absorbing = kind === 'any'
  if (parts.includes(absorbing)) return absorbing
  if (parts.includes(undefined)) return undefined
  const tests = parts.filter((part) => typeof part === 'object')
  if (tests.length === 0) return !absorbing
  return tests.length === 1 ? tests[0] : kind === 'all' ? { all: tests } : { any: tests }
}

function buildTest({ question, codes, row, option }: NamedQuestion, operator: Operator, values: readonly string[]): Built {
  const it = { question: question.id, ...(row !== undefined && { row }) }
  const [value = ''] = values
  const emptiness = value === '' && operator === 'equal' ? 'unanswered' : value === '' && operator === 'unequal' ? 'answered' : operator
  if (option !== undefined) return buildOptionTest(it, option, emptiness, value)
  if (emptiness === 'answered' || emptiness === 'unanswered') return { ...it, is: emptiness }
  switch (question.type) {
    case 'short_text':
    case 'long_text':
    case 'email':
    case 'phone':
      return buildTextTest(it, operator, value)
    case 'rating':
    case 'scale':
    case 'nps':
      return buildNumberTest(it, operator, value, 1)
    case 'number':
      return buildNumberTest(it, operator, value, 10 ** -(question.decimals ?? 0))
    case 'slider':
      return buildNumberTest(it, operator, value, question.step ?? 1)
    case 'date':
      return buildDateTest(it, operator, value)
    case 'yes_no':
    case 'consent':
      return buildChoiceTest(it, operator, values, YES_NO)
    case 'ranking':
      return row === undefined ? undefined : buildNumberTest(it, operator, value, 1)
    default:
      return buildChoiceTest(it, operator, values, codes)
  }
}

/** Of one option of several, files say that it is chosen ("Y") or empty. */
function buildOptionTest(it: Tested, option: string, operator: Operator, value: string): Built {
  const chosen = operator === 'answered' || (operator === 'equal' && isTrue(value)) || (operator === 'unequal' && isFalse(value))
  const blank = operator === 'unanswered' || (operator === 'unequal' && isTrue(value)) || (operator === 'equal' && isFalse(value))
  if (chosen) return { ...it, is: 'any_of', options: [option] }
  return blank ? { ...it, is: 'none_of', options: [option] } : undefined
}

function buildChoiceTest(it: Tested, operator: Operator, values: readonly string[], codes: ReadonlyMap<string, string>): Built {
  if (operator in ORDERED && values.length === 1) return buildOrderedChoiceTest(it, operator, Number(values[0]), codes)
  const options = values.flatMap((value) => codes.get(value) ?? codes.get(value.toLowerCase()) ?? [])
  if (options.length !== values.length || options.length === 0) return undefined
  const is = CHOICE_TESTS[operator]
  if (!is) return undefined
  return { ...it, is: is === 'any_of' && operator === 'equal' && options.length > 1 ? 'all_of' : is, options }
}

/** Codes compared by size: the options whose codes are larger or smaller. */
function buildOrderedChoiceTest(it: Tested, operator: Operator, than: number, codes: ReadonlyMap<string, string>): Built {
  const isWithin = ORDERED[operator]
  const numbers = Array.from(codes, ([code, id]) => ({ code: code.trim() === '' ? Number.NaN : Number(code), id }))
  if (!isWithin || !Number.isFinite(than) || numbers.every(({ code }) => Number.isNaN(code))) return undefined
  const options = numbers.filter(({ code }) => isWithin(code, than)).map(({ id }) => id)
  return options.length === 0 ? false : { ...it, is: 'any_of', options: [...new Set(options)] }
}

function buildTextTest(it: Tested, operator: Operator, value: string): Built {
  if (operator === 'equal') return { ...it, is: 'equals', value }
  return operator === 'contains' ? { ...it, is: 'contains', value } : undefined
}

/** @param step the smallest difference between two answers: "more than 5" is at least 5 and one step. */
function buildNumberTest(it: Tested, operator: Operator, text: string, step: number): Built {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return undefined
  const [below, above] = [roundToStep(Math.ceil(number / step) - 1, step), roundToStep(Math.floor(number / step) + 1, step)]
  switch (operator) {
    case 'equal':
      return { ...it, is: 'equals', value: number }
    case 'unequal':
      return {
        any: [
          { ...it, is: 'unanswered' },
          { ...it, is: 'at_most', value: below },
          { ...it, is: 'at_least', value: above },
        ],
      }
    case 'at-least':
      return { ...it, is: 'at_least', value: number }
    case 'at-most':
      return { ...it, is: 'at_most', value: number }
    case 'more':
      return { ...it, is: 'at_least', value: above }
    case 'less':
      return { ...it, is: 'at_most', value: below }
    default:
      return undefined
  }
}

const roundToStep = (steps: number, step: number) => Number((steps * step).toFixed(6))

function buildDateTest(it: Tested, operator: Operator, value: string): Built {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return undefined
  switch (operator) {
    case 'equal':
      return { ...it, is: 'equals', value }
    case 'at-least':
    case 'at-most':
      return { ...it, is: operator === 'at-least' ? 'at_least' : 'at_most', value }
    case 'more':
    case 'less':
      return { ...it, is: operator === 'more' ? 'at_least' : 'at_most', value: shiftDate(value, operator === 'more' ? 1 : -1) }
    default:
      return undefined
  }
}

const shiftDate = (date: string, days: number) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

type Tested = Pick<ConditionTest, 'question' | 'row'>

const isTrue = (value: string): boolean => /^(true|1|y|yes)$/i.test(value.trim())
const isFalse = (value: string): boolean => /^(false|0|n|no)$/i.test(value.trim())

const EMPTY_CALLS: ReadonlySet<string> = new Set(['is_empty', 'isempty', 'empty'])
/** Calls that only change the type of what they are given. */
const WRAPPING_CALLS: ReadonlySet<string> = new Set(['intval', 'floatval', 'number', 'string', 'int', 'boolean', 'trim', 'date'])
const COUNTING_CALLS: ReadonlySet<string> = new Set(['count', 'count-selected', 'string-length', 'strlen'])

/** There is no test for "not all of them". */
const NEGATED: Partial<Record<Operator, Operator>> = {
  equal: 'unequal',
  unequal: 'equal',
  contains: 'lacks',
  lacks: 'contains',
  'any-of': 'none-of',
  'none-of': 'any-of',
  'at-least': 'less',
  'at-most': 'more',
  more: 'at-most',
  less: 'at-least',
  answered: 'unanswered',
  unanswered: 'answered',
}

const MIRRORED: Partial<Record<Operator, Operator>> = { more: 'less', less: 'more', 'at-least': 'at-most', 'at-most': 'at-least' }

const CHOICE_TESTS: Partial<Record<Operator, 'any_of' | 'all_of' | 'none_of'>> = {
  equal: 'any_of',
  unequal: 'none_of',
  contains: 'any_of',
  lacks: 'none_of',
  'any-of': 'any_of',
  'all-of': 'all_of',
  'none-of': 'none_of',
}

const ORDERED: Partial<Record<Operator, (code: number, than: number) => boolean>> = {
  more: (code, than) => code > than,
  less: (code, than) => code < than,
  'at-least': (code, than) => code >= than,
  'at-most': (code, than) => code <= than,
}

const YES_NO: ReadonlyMap<string, string> = new Map(
  Object.entries({ true: 'yes', false: 'no', yes: 'yes', no: 'no', y: 'yes', n: 'no', '1': 'yes', '0': 'no' }),
)
