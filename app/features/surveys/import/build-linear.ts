import type { RelativeDay } from '../questionnaire/conditions.schema.ts'
import { type Built, buildTest, type NamedQuestion } from './build-test.ts'
import type { Expression, Operator } from './parse-expression.ts'

/**
 * `factor` times one answer, or one rounded value, plus `today` times today, plus `constant`; days count from 1970. A second answer may be
 * added.
 */
interface Linear {
  of?: NamedQuestion | Call
  factor: number
  second?: { of: NamedQuestion | Call; factor: number }
  today: number
  constant: number
}

type Call = Extract<Expression, { kind: 'call' }>
type FindQuestion = (name: string) => NamedQuestion | undefined

/**
 * The test for a comparison of two values that are calculated from one answer: `(today() - ${born}) div 365.25 >= 18`.
 * @returns undefined if there is none
 */
export function buildLinearTest(left: Expression, operator: Operator, right: Expression, find: FindQuestion): Built {
  const difference = addLinear(readLinear(left, find), readLinear(right, find), -1)
  if (!difference || difference.second) return undefined
  const { of, factor, constant } = difference
  const today = tidyFloat(difference.today / factor)
  if (!of || Math.abs(factor) < 1e-9) return undefined
  const turned = factor < 0 ? (MIRRORED[operator] ?? operator) : operator
  const than = tidyFloat(-constant / factor)
  if ('kind' in of) {
    const unrounded = today === 0 ? removeRounding(of, turned, than) : undefined
    return unrounded && buildLinearTest(unrounded.left, unrounded.operator, unrounded.right, find)
  }
  if (of.question.type !== 'date') return today === 0 ? buildTest(of, turned, [String(than)]) : undefined
  if (today === 0) return buildDayTest(of, turned, than, (day) => new Date(day * DAY_MS).toISOString().slice(0, 10))
  return today === -1 ? buildDayTest(of, turned, than, (day) => ({ ago: -day || 0, unit: 'day' })) : undefined
}

/** A comparison of one answer with another, and something more. */
export interface TwoAnswers {
  one: NamedQuestion
  other: NamedQuestion
  plus: number
  operator: Operator
}

/** Solves a comparison that depends on two answers: `${left} - ${arrived} > 7`. @returns undefined if it cannot be solved for one of them */
export function solveForTwo(left: Expression, operator: Operator, right: Expression, find: FindQuestion): TwoAnswers | undefined {
  const { of, factor, second, today, constant } = addLinear(readLinear(left, find), readLinear(right, find), -1) ?? {}
  if (!of || !second || !factor || today || 'kind' in of || 'kind' in second.of || Math.abs(factor + second.factor) > 1e-9) return undefined
  const plus = tidyFloat(-(constant ?? 0) / factor) || 0
  return { one: of, other: second.of, plus, operator: factor < 0 ? (MIRRORED[operator] ?? operator) : operator }
}

function readLinear(expression: Expression, find: FindQuestion): Linear | undefined {
  switch (expression.kind) {
    case 'value':
      return readConstant(expression.value)
    case 'name': {
      const asked = find(expression.name)
      const isWhole = asked && asked.row === undefined && asked.option === undefined
      return isWhole && MEASURED_TYPES.has(asked.question.type) ? { of: asked, factor: 1, today: 0, constant: 0 } : undefined
    }
    case 'call':
      return readCall(expression, find)
    default:
      return undefined
  }
}

function readConstant(value: string): Linear | undefined {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value)
  const constant = isDay ? Date.parse(value) / DAY_MS : value.trim() === '' ? Number.NaN : Number(value)
  return Number.isFinite(constant) ? { factor: 0, today: 0, constant } : undefined
}

function readCall(call: Call, find: FindQuestion): Linear | undefined {
  const { name, args } = call
  const [first, second] = args
  if (ROUNDING_CALLS.has(name)) return { of: call, factor: 1, today: 0, constant: 0 }
  if (name === 'today') return { factor: 0, today: 1, constant: 0 }
  const a = first && readLinear(first, find)
  if (UNCHANGING_CALLS.has(name)) return second && !isIsoFormat(second) ? undefined : a
  const b = second && readLinear(second, find)
  if (!a || !b) return undefined
  if (name === '+' || name === '-') return addLinear(a, b, name === '+' ? 1 : -1)
  if (name === '*') return isConstant(b) ? scaleLinear(a, b.constant) : isConstant(a) ? scaleLinear(b, a.constant) : undefined
  return name === 'div' && isConstant(b) && b.constant !== 0 ? scaleLinear(a, 1 / b.constant) : undefined
}

const isIsoFormat = (format: Expression) => format.kind === 'value' && format.value === '%Y-%m-%d'
const isConstant = ({ factor, today, second }: Linear) => factor === 0 && today === 0 && !second

const scaleLinear = ({ factor, today, constant, second, ...rest }: Linear, by: number): Linear => ({
  ...rest,
  ...(second && { second: { ...second, factor: second.factor * by } }),
  factor: factor * by,
  today: today * by,
  constant: constant * by,
})

function addLinear(a: Linear | undefined, b: Linear | undefined, sign: 1 | -1): Linear | undefined {
  if (!a || !b) return undefined
  const terms: { of: NamedQuestion | Call; factor: number }[] = []
  for (const { of, factor } of [...listTerms(a, 1), ...listTerms(b, sign)]) {
    const known = terms.find((term) => isSame(term.of, of))
    if (known) known.factor += factor
    else terms.push({ of, factor })
  }
  const [first, second, third] = terms.filter(({ factor }) => Math.abs(factor) > 1e-9)
  if (third) return undefined
  return {
    ...(first && { of: first.of }),
    factor: first?.factor ?? 0,
    ...(second && { second }),
    today: a.today + sign * b.today,
    constant: a.constant + sign * b.constant,
  }
}

const listTerms = ({ of, factor, second }: Linear, sign: 1 | -1) =>
  [of && { of, factor }, second].flatMap((term) => (term ? [{ of: term.of, factor: sign * term.factor }] : []))

const isSame = (a: NamedQuestion | Call, b: NamedQuestion | Call) => ('kind' in a || 'kind' in b ? a === b : a.question === b.question)

/** `floor(x) >= 3` without the rounding: `x >= 3`; `round(x, 1) >= 3` is `x >= 2.95`. */
function removeRounding(
  { name, args: [of, decimals] }: Call,
  operator: Operator,
  than: number,
): { left: Expression; operator: Operator; right: Expression } | undefined {
  if (!of || !Number.isFinite(than)) return undefined
  // Rounding towards zero differs from rounding down below it.
  if (name === 'int' && (than < 0 || (than === 0 && operator !== 'more' && operator !== 'at-most'))) return undefined
  const step = decimals === undefined ? 1 : decimals.kind === 'value' ? 10 ** -Number(decimals.value) : Number.NaN
  if (!Number.isFinite(step)) return undefined
  const offset = name === 'round' ? step / 2 : 0
  const isUp = operator === 'at-least' || operator === 'less'
  const bound = isUp ? Math.ceil(tidyFloat(than / step)) * step : (Math.floor(tidyFloat(than / step)) + 1) * step
  const meant = UNROUNDED[operator]
  return meant && { left: of, operator: meant, right: { kind: 'value', value: String(tidyFloat(bound - offset)) } }
}

/** @param name the day that many days after the start of counting, as a condition says it */
function buildDayTest(asked: NamedQuestion, operator: Operator, than: number, name: (day: number) => string | RelativeDay): Built {
  const on = (is: 'at_least' | 'at_most' | 'equals', day: number): Built => ({ question: asked.question.id, is, value: name(day) })
  switch (operator) {
    case 'at-least':
      return on('at_least', Math.ceil(than))
    case 'at-most':
      return on('at_most', Math.floor(than))
    case 'more':
      return on('at_least', Math.floor(than) + 1)
    case 'less':
      return on('at_most', Math.ceil(than) - 1)
    case 'equal':
      return Number.isInteger(than) ? on('equals', than) : false
    default:
      return undefined
  }
}

const DAY_MS = 86_400_000

/** Without what floating point adds to `0.1 + 0.2`. */
const tidyFloat = (value: number) => Number(value.toFixed(9))

const MEASURED_TYPES: ReadonlySet<string> = new Set(['number', 'slider', 'rating', 'scale', 'nps', 'date'])
const UNCHANGING_CALLS: ReadonlySet<string> = new Set([
  'number',
  'decimal-date-time',
  'date-time',
  'date',
  'format-date-time',
  'format-date',
])
const ROUNDING_CALLS: ReadonlySet<string> = new Set(['floor', 'int', 'round'])

const MIRRORED: Partial<Record<Operator, Operator>> = { more: 'less', less: 'more', 'at-least': 'at-most', 'at-most': 'at-least' }
const UNROUNDED: Partial<Record<Operator, Operator>> = { 'at-least': 'at-least', more: 'at-least', less: 'less', 'at-most': 'less' }
