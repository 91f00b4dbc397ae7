import type { Expression } from './parse-expression.ts'

/** A value that depends on conditions of which exactly one holds. */
export interface Case {
  when: Expression
  value: Expression
}

/** The cases of `if(condition, value, other)` and of `coalesce(value, other)`, also inside of arithmetic and of each other. */
export function listCases(expression: Expression): Case[] | undefined {
  return listOwnCases(expression)?.flatMap(({ when, value }): Case[] => {
    const inner = listCases(value)
    return inner ? inner.map((each) => ({ when: { kind: 'all', parts: [when, each.when] }, value: each.value })) : [{ when, value }]
  })
}

function listOwnCases(expression: Expression): Case[] | undefined {
  if (expression.kind !== 'call') return undefined
  const [first, second, third] = expression.args
  if ((expression.name === 'if' || expression.name === 'iif') && first && second && third)
    return [
      { when: first, value: second },
      { when: { kind: 'not', part: first }, value: third },
    ]
  if (expression.name === 'coalesce' && first && second)
    return [
      { when: { kind: 'compare', operator: 'answered', left: first, right: first }, value: first },
      { when: { kind: 'compare', operator: 'unanswered', left: first, right: first }, value: second },
    ]
  return isCalculation(expression.name) ? liftCases(expression) : undefined
}

/** The cases of an argument, each with the rest of the call around it. */
function liftCases(call: Extract<Expression, { kind: 'call' }>): Case[] | undefined {
  for (const [index, arg] of call.args.entries()) {
    const cases = listOwnCases(arg)
    if (cases) return cases.map(({ when, value }) => ({ when, value: { ...call, args: call.args.with(index, value) } }))
  }
  return undefined
}

export const toAlternatives = (cases: readonly Case[]): Expression => ({
  kind: 'any',
  parts: cases.map(({ when, value }) => ({ kind: 'all', parts: [when, value] })),
})

/** Whether a call makes a number or a day of its arguments, which is empty if one of them is. */
export const isCalculation = (call: string): boolean => CALCULATIONS.has(call)

const CALCULATIONS: ReadonlySet<string> = new Set([
  '+',
  '-',
  '*',
  'div',
  'floor',
  'int',
  'round',
  'number',
  'decimal-date-time',
  'date-time',
  'date',
  'format-date-time',
  'format-date',
])
