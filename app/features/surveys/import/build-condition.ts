import { getComparedKind, isComparedByItem } from '../questionnaire/compared-kind.ts'
import type { Condition, ConditionTest } from '../questionnaire/conditions.schema.ts'
import { buildLinearTest } from './build-linear.ts'
import { type Case, isCalculation, listCases, toAlternatives } from './list-cases.ts'
import { type Built, buildCountTest, buildTest, isTrue, type NamedQuestion } from './build-test.ts'
import { type Expression, mapNames, type Operator } from './parse-expression.ts'

/** Converts a condition of another tool. @returns undefined if it says something that ours cannot */
export function buildCondition(expression: Expression, find: (name: string) => NamedQuestion | undefined): Built {
  return new ConditionBuilder(find).build(expression, false)
}

/** Conditions that must all hold; undefined if there are none. */
export function joinAll(conditions: readonly (Condition | undefined)[]): Condition | undefined {
  const all = conditions.filter((each) => each !== undefined)
  const flat = all.flatMap((each) => ('all' in each ? each.all : [each]))
  if (flat.length > MAX_PARTS) return { all }
  return flat.length > 1 ? { all: flat } : flat[0]
}

/** The condition, unless it is longer or deeper than ours can be. */
export function fitCondition(condition: Condition): Condition | undefined {
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : []
  const isFitting = parts.length <= MAX_PARTS && parts.every((part) => fitCondition(part) !== undefined)
  return isFitting && measureDepth(condition) <= DEEPEST_CONDITION ? condition : undefined
}

class ConditionBuilder {
  readonly #find: (name: string) => NamedQuestion | undefined
  /** Cases inside of cases multiply. */
  #stepsLeft = 5000

  constructor(find: (name: string) => NamedQuestion | undefined) {
    this.#find = find
  }

  build(expression: Expression, negated: boolean): Built {
    if (--this.#stepsLeft < 0) return undefined
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
        return !/^(0|false)?$/.test(expression.value.trim()) !== negated
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

  #buildCall(name: string, args: Expression[], negated: boolean): Built {
    const [first, second] = args
    if (name === 'true' || name === 'false') return (name === 'true') !== negated
    if (!first) return undefined
    if (name === 'not') return this.build(first, !negated)
    const cases = listCases({ kind: 'call', name, args })
    if (cases) return this.build(toAlternatives(cases), negated)
    if (COUNTING_CALLS.has(name)) return this.#buildCount(name, args, negated ? 'at-most' : 'more', 0)
    if (EMPTY_CALLS.has(name)) return this.#buildOperation(first, negated ? 'answered' : 'unanswered', [])
    if ((name === 'selected' || name === 'contains') && second?.kind === 'value')
      return this.#buildComparison({ kind: 'compare', operator: 'contains', left: first, right: second }, negated)
    return WRAPPING_CALLS.has(name) && args.length === 1 ? this.build(first, negated) : undefined
  }

  #buildComparison({ operator, left, right }: Extract<Expression, { kind: 'compare' }>, negated: boolean): Built {
    const meant = negated ? NEGATED[operator] : operator
    if (!meant) return undefined
    if (operator === 'answered' || operator === 'unanswered') return this.#buildOperation(left, meant, [])
    if (left.kind === 'value' && right.kind !== 'value')
      return this.#buildComparison({ kind: 'compare', operator: MIRRORED[operator] ?? operator, left: right, right: left }, negated)
    const cases = listCases(left)
    if (cases) {
      const compared = cases.map(({ when, value }): Case => ({ when, value: { kind: 'compare', operator, left: value, right } }))
      return this.build(toAlternatives(compared), negated)
    }
    if (left.kind === 'value' && right.kind === 'value') return compareConstants(operator, left.value, right.value, negated)
    // Without an answer, nothing is more or less than something else: so the opposite holds.
    const blanks = negated && operator in MIRRORED && !this.#readCount(left) ? this.#listBlanks(left, right) : []
    const compared =
      isCalculated(left) || isCalculated(right)
        ? this.#buildCalculated(left, meant, right, negated)
        : this.#buildPlainComparison(left, meant, right, negated)
    return blanks.length > 0 ? joinConditions([...blanks, compared], 'any') : compared
  }

  /** That one of the answers in the expressions is missing. */
  #listBlanks(...expressions: readonly Expression[]): Built[] {
    const blanks: Built[] = []
    for (const expression of expressions)
      mapNames(expression, (each) => {
        blanks.push(this.#buildOperation(each, 'unanswered', []))
        return each
      })
    return blanks
  }

  #buildPlainComparison(left: Expression, meant: Operator, right: Expression, negated: boolean): Built {
    if (left.kind === 'name' && right.kind === 'name') return negated ? undefined : this.#buildTwoAnswers(left.name, meant, right.name)
    const values = right.kind === 'value' ? [right.value] : right.kind === 'list' ? right.values : undefined
    if (!values) return undefined
    const counted = this.#readCount(left)
    if (counted) return this.#buildCount(counted.name, counted.args, meant, Number(values[0]))
    if (left.kind === 'call' && left.name === 'selected' && isTrue(values[0] ?? '')) return this.build(left, negated)
    const several = this.#findSeveral(left)
    if (several && (meant === 'equal' || meant === 'unequal') && values.join('') !== '')
      return right.kind === 'list' ? buildExactChoices(several, values, meant === 'unequal') : undefined
    return this.#buildOperation(left, meant, values)
  }

  /** Numbers or days. Two answers that are missing are equal; one that is missing differs from any, and is neither more nor less. */
  #buildTwoAnswers(left: string, meant: Operator, right: string): Built {
    const [one, other] = [this.#find(left), this.#find(right)]
    const kind = one && getComparedKind(one.question)
    const is = COMPARING_TESTS[meant]
    const isWhole = [one, other].every(
      (each) => each && (each.row ?? each.option ?? each.rank) === undefined && !isComparedByItem(each.question),
    )
    if (!one || !other || !is || !isWhole || (kind !== 'number' && kind !== 'date') || kind !== getComparedKind(other.question))
      return undefined
    const [a, b] = [one.question.id, other.question.id]
    const compared: Condition = { question: a, is, value: { question: b } }
    const blank = (question: string): Condition => ({ question, is: 'unanswered' })
    const given = (question: string): Condition => ({ question, is: 'answered' })
    if (meant === 'more' || meant === 'less') return compared
    if (meant === 'unequal') return { any: [{ all: [given(a), blank(b)] }, { all: [blank(a), given(b)] }, compared] }
    return { any: [{ all: [blank(a), blank(b)] }, compared] }
  }

  /** A question of which several options may be chosen: one value never equals its answer, which is a list. */
  #findSeveral(left: Expression): NamedQuestion | undefined {
    const asked = left.kind === 'name' ? this.#find(left.name) : undefined
    return asked?.option === undefined && asked?.question.type === 'several_choices' ? asked : undefined
  }

  /** A calculation is empty if an answer in it is; otherwise it is compared if it depends on one answer. */
  #buildCalculated(left: Expression, meant: Operator, right: Expression, negated: boolean): Built {
    const isEmptiness = right.kind === 'value' && right.value === '' && (meant === 'equal' || meant === 'unequal')
    if (isEmptiness) return this.#buildOperation(left, meant === 'equal' ? 'unanswered' : 'answered', [])
    return isCalculatedOfNothing(left) || isCalculatedOfNothing(right) ? negated : buildLinearTest(left, meant, right, this.#find)
  }

  /** A count, also as SurveyJS says it: the length of an answer that is a list. */
  #readCount(left: Expression): Pick<Extract<Expression, { kind: 'call' }>, 'name' | 'args'> | undefined {
    if (left.kind === 'call') return COUNTING_CALLS.has(left.name) ? left : undefined
    if (left.kind !== 'name') return undefined
    const base = left.name.replace(/\.length$/, '')
    const isLength = base !== left.name && !this.#find(left.name) && this.#find(base)
    return isLength ? { name: 'count', args: [{ kind: 'name', name: base }] } : undefined
  }

  /** How many options are chosen, or how many of several questions are answered: the latter can only be asked as none or some. */
  #buildCount(call: string, args: readonly Expression[], meant: Operator, count: number): Built {
    const isSome = (meant === 'more' && count === 0) || (meant === 'at-least' && count === 1) || (meant === 'unequal' && count === 0)
    const isNone = (meant === 'equal' && count === 0) || (meant === 'less' && count === 1) || (meant === 'at-most' && count === 0)
    const counted = TEXT_LENGTHS.has(call) ? undefined : this.#findCounted(args)
    if (isSome === isNone && counted) return buildCountTest(counted, meant, count)
    if (isSome === isNone || args.length === 0) return undefined
    if (counted) return { question: counted, is: isSome ? 'answered' : 'unanswered' }
    return joinConditions(
      args.map((arg) => this.#buildOperation(arg, isSome ? 'answered' : 'unanswered', [])),
      isSome ? 'any' : 'all',
    )
  }

  /** The question whose options are counted: named itself, or by each of its options. LimeSurvey says "that" for all of its parts. */
  #findCounted(args: readonly Expression[]): string | undefined {
    const asked = args.map((arg) => (arg.kind === 'name' ? this.#find(arg.name.replace(/^that\./, '')) : undefined))
    const [first] = asked
    if (!first || first.row !== undefined || !COUNTED_TYPES.has(first.question.type)) return undefined
    const { question, codes } = first
    if (asked.length === 1) return first.option === undefined ? question.id : undefined
    const options = new Set(asked.map((each) => (each?.question === question ? each.option : undefined)))
    return options.size === codes.size && !options.has(undefined) ? question.id : undefined
  }

  #buildOperation(left: Expression, operator: Operator, values: readonly string[]): Built {
    if (left.kind === 'call' && WRAPPING_CALLS.has(left.name) && left.args[0]) return this.#buildOperation(left.args[0], operator, values)
    if (left.kind === 'value' && (operator === 'answered' || operator === 'unanswered'))
      return (left.value === '') === (operator === 'unanswered')
    if (left.kind === 'call' && isCalculation(left.name) && (operator === 'answered' || operator === 'unanswered'))
      return joinConditions(
        left.args.map((arg) => this.#buildOperation(arg, operator, [])),
        operator === 'answered' ? 'all' : 'any',
      )
    if (left.kind === 'call' && left.name === 'today') return operator === 'answered' ? true : operator === 'unanswered' ? false : undefined
    if (left.kind !== 'name') return undefined
    const asked = this.#find(left.name)
    return asked && buildTest(asked, operator, values)
  }
}

/** Exactly these options are chosen, or not exactly these. */
function buildExactChoices({ question: { id }, codes }: NamedQuestion, values: readonly string[], negated: boolean): Built {
  const options = values.flatMap((value) => codes.get(value) ?? [])
  if (options.length !== values.length) return undefined
  const more = { question: id, value: options.length + (negated ? 1 : 0) }
  if (!negated)
    return {
      all: [
        { question: id, is: 'all_of', options },
        { ...more, is: 'chosen_at_most' },
      ],
    }
  return {
    any: [...options.map((option) => ({ question: id, is: 'none_of' as const, options: [option] })), { ...more, is: 'chosen_at_least' }],
  }
}

/** A condition has room for this many parts side by side, and for this many levels. */
const MAX_PARTS = 50
const DEEPEST_CONDITION = 10

function joinConditions(parts: readonly Built[], kind: 'all' | 'any'): Built {
  const absorbing = kind === 'any'
  if (parts.includes(absorbing) || hasOpposites(parts, kind)) return absorbing
  if (parts.includes(undefined)) return undefined
  const tests = mergeTests(
    parts.flatMap((part) => (typeof part === 'object' ? flattenCondition(part, kind) : [])),
    kind,
  )
  if (tests.length > MAX_PARTS) return undefined
  if (tests.length === 0) return !absorbing
  const joined = tests.length === 1 ? tests[0] : kind === 'all' ? { all: tests } : { any: tests }
  return joined && measureDepth(joined) <= DEEPEST_CONDITION ? joined : undefined
}

/** Whether two tests leave nothing out (or, with `all`, nothing possible): an answer is given, or it is not. */
function hasOpposites(parts: readonly Built[], kind: 'all' | 'any'): boolean {
  const tests = parts.flatMap((part) => (typeof part === 'object' ? flattenCondition(part, kind) : [])).filter((part) => 'is' in part)
  return tests.some(
    (one) =>
      one.is === 'answered' && tests.some((other) => other.is === 'unanswered' && other.question === one.question && other.row === one.row),
  )
}

function flattenCondition(condition: Condition, kind: 'all' | 'any'): Condition[] {
  if (kind === 'all') return 'all' in condition ? condition.all : [condition]
  return 'any' in condition ? condition.any : [condition]
}

/** Alternatives about the options of one question are one test, and so are options that must all be absent. Drops duplicates. */
function mergeTests(tests: readonly Condition[], kind: 'all' | 'any'): Condition[] {
  const is = kind === 'any' ? 'any_of' : 'none_of'
  const merged: Condition[] = []
  const byQuestion = new Map<string, ConditionTest>()
  const said = new Set<string>()
  for (const test of tests) {
    const text = JSON.stringify(test)
    if (said.has(text)) continue
    said.add(text)
    const mergeable = 'is' in test && test.is === is ? test : undefined
    const key = mergeable && `${mergeable.question}/${mergeable.row ?? ''}`
    const known = key === undefined ? undefined : byQuestion.get(key)
    if (known && mergeable) known.options = [...new Set([...(known.options ?? []), ...(mergeable.options ?? [])])]
    else {
      const kept = mergeable ? { ...mergeable } : test
      if (key !== undefined && 'is' in kept) byQuestion.set(key, kept)
      merged.push(kept)
    }
  }
  return merged
}

function measureDepth(condition: Condition): number {
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : []
  return 1 + Math.max(0, ...parts.map(measureDepth))
}

/** Nothing that a calculation makes of nothing compares with anything. */
const isCalculatedOfNothing = (expression: Expression): boolean =>
  expression.kind === 'call'
    ? isCalculation(expression.name) && expression.args.some(isCalculatedOfNothing)
    : expression.kind === 'value' && expression.value === ''

/** Whether a value has to be calculated; a plain change of its type does not count. */
function isCalculated(expression: Expression): boolean {
  if (expression.kind !== 'call') return false
  const isPlain = expression.args.length === 1 && expression.args[0]?.kind === 'name' && WRAPPING_CALLS.has(expression.name)
  return expression.name === 'today' || (isCalculation(expression.name) && !isPlain)
}

function compareConstants(operator: Operator, left: string, right: string, negated: boolean): boolean | undefined {
  if (operator === 'equal' || operator === 'unequal') return (left === right) === ((operator === 'equal') !== negated)
  if (operator === 'contains') return left.split(' ').includes(right) !== negated
  const compare = NUMBERS[operator]
  // Nothing is neither more nor less than a number.
  if (compare && (left.trim() === '' || right.trim() === '')) return negated
  const [a, b] = [Number(left), Number(right)]
  if (!compare || Number.isNaN(a) || Number.isNaN(b)) return undefined
  return compare(a, b) !== negated
}

const NUMBERS: Partial<Record<Operator, (a: number, b: number) => boolean>> = {
  more: (a, b) => a > b,
  less: (a, b) => a < b,
  'at-least': (a, b) => a >= b,
  'at-most': (a, b) => a <= b,
}

const COMPARING_TESTS: Partial<Record<Operator, ConditionTest['is']>> = {
  equal: 'equals',
  unequal: 'not_equals',
  more: 'more_than',
  less: 'less_than',
  'at-least': 'at_least',
  'at-most': 'at_most',
}

const EMPTY_CALLS: ReadonlySet<string> = new Set(['is_empty', 'isempty', 'empty'])
/** Calls that only change the type of what they are given. */
const WRAPPING_CALLS: ReadonlySet<string> = new Set(['intval', 'floatval', 'number', 'string', 'int', 'boolean', 'trim', 'date'])
const TEXT_LENGTHS: ReadonlySet<string> = new Set(['string-length', 'strlen'])
const COUNTING_CALLS: ReadonlySet<string> = new Set(['count', 'count-selected', ...TEXT_LENGTHS])
const COUNTED_TYPES: ReadonlySet<string> = new Set(['several_choices', 'picture_choice'])

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
