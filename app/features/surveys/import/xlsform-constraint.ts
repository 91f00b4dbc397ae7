import type { Question } from '../surveys.schema.ts'
import { convertPattern } from './convert-pattern.ts'
import { type Expression, parseExpression } from './parse-expression.ts'

/**
 * The question with what a constraint demands of its answer (`. >= 0 and . <= 120`).
 * @returns undefined if any part of it says what our questions cannot
 */
export function applyConstraint(question: Question, constraint: string, codes: ReadonlyMap<string, string>): Question | undefined {
  const parsed = parseExpression(constraint)
  if (!parsed) return undefined
  const parts = parsed.kind === 'all' ? parsed.parts : [parsed]
  return parts.reduce<Question | undefined>((so, part) => so && applyPart(so, part, codes), question)
}

function applyPart(question: Question, part: Expression, codes: ReadonlyMap<string, string>): Question | undefined {
  if (part.kind === 'all') return part.parts.reduce<Question | undefined>((so, each) => so && applyPart(so, each, codes), question)
  if (part.kind === 'not') return applyExclusive(question, part.part, codes)
  if (part.kind === 'call')
    return part.name === 'not' && part.args[0] ? applyExclusive(question, part.args[0], codes) : applyCall(question, part)
  return part.kind === 'compare' ? applyComparison(question, part) : undefined
}

function applyComparison(question: Question, { operator, left, right }: Extract<Expression, { kind: 'compare' }>): Question | undefined {
  if (right.kind !== 'value') return undefined
  if (left.kind === 'name' && left.name === '.') return applyBound(question, operator, right.value)
  const count = left.kind === 'call' && isSelf(left.args[0]) ? toWholeBounds(operator, Number(right.value)) : undefined
  if (!count || left.kind !== 'call') return undefined
  const { min, max } = count
  if (left.name === 'string-length' && (question.type === 'short_text' || question.type === 'long_text'))
    return { ...question, ...(min !== undefined && { minLength: min }), ...(max !== undefined && { maxLength: max }) }
  if (left.name === 'count-selected' && question.type === 'several_choices')
    return { ...question, ...(min !== undefined && { minChoices: min }), ...(max !== undefined && { maxChoices: max }) }
  return undefined
}

function applyCall(question: Question, { name, args }: Extract<Expression, { kind: 'call' }>): Question | undefined {
  const [of, expression] = args
  if (name !== 'regex' || !isSelf(of) || expression?.kind !== 'value' || question.type !== 'short_text') return undefined
  const pattern = convertPattern(expression.value)
  return pattern === undefined ? undefined : { ...question, pattern }
}

/** `not(selected(., 'none') and count-selected(.) > 1)`: the option stands alone. */
function applyExclusive(question: Question, part: Expression, codes: ReadonlyMap<string, string>): Question | undefined {
  if (question.type !== 'several_choices' || part.kind !== 'all' || part.parts.length !== 2) return undefined
  const chosen = part.parts.find((each) => each.kind === 'call' && each.name === 'selected')
  const counted = part.parts.find((each) => each.kind === 'compare' && each.left.kind === 'call' && each.left.name === 'count-selected')
  if (chosen?.kind !== 'call' || chosen.args[1]?.kind !== 'value' || counted?.kind !== 'compare' || counted.right.kind !== 'value')
    return undefined
  const isMoreThanOne =
    (counted.operator === 'more' && counted.right.value === '1') || (counted.operator === 'at-least' && counted.right.value === '2')
  const id = codes.get(chosen.args[1].value)
  if (!isMoreThanOne || id === undefined) return undefined
  return { ...question, options: question.options.map((option) => (option.id === id ? { ...option, exclusive: true as const } : option)) }
}

function applyBound(question: Question, operator: string, value: string): Question | undefined {
  if (question.type === 'number' || question.type === 'slider') {
    const step = question.type === 'number' ? 10 ** -(question.decimals ?? 0) : 0
    const bounds = toBounds(operator, Number(value), step)
    return bounds && { ...question, ...bounds }
  }
  if (question.type === 'date' && /^\d{4}-\d\d-\d\d$/.test(value)) {
    if (operator === 'at-least') return { ...question, earliest: value }
    return operator === 'at-most' ? { ...question, latest: value } : undefined
  }
  return undefined
}

function toBounds(operator: string, value: number, step: number): { min?: number; max?: number } | undefined {
  if (!Number.isFinite(value)) return undefined
  const shift = (by: number) => Number((value + by).toFixed(6))
  switch (operator) {
    case 'at-least':
      return { min: value }
    case 'at-most':
      return { max: value }
    case 'more':
      return { min: shift(step) }
    case 'less':
      return { max: shift(-step) }
    default:
      return undefined
  }
}

function toWholeBounds(operator: string, value: number): { min?: number; max?: number } | undefined {
  if (!Number.isInteger(value) || value < 0) return undefined
  return operator === 'equal' ? { min: value, max: value } : toBounds(operator, value, 1)
}

const isSelf = (expression: Expression | undefined): boolean => expression?.kind === 'name' && expression.name === '.'
