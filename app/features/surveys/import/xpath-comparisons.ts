import { getComparedKind } from '../questionnaire/compared-kind.ts'
import type { ConditionTest } from '../questionnaire/conditions.schema.ts'
import type { TwoAnswers } from './build-linear.ts'
import type { NamedQuestion } from './build-test.ts'
import { isAnyChosen, isCountAtLeast, isUnanswered, joinLogic, type Logic, negateLogic, type Tested } from './logic.ts'
import type { Operator } from './parse-expression.ts'
import { listIds, toTested } from './xpath-cases.ts'
import { type Constant, isEqual, listWords, toNumber } from './xpath-values.ts'

/** Exactly these options are chosen: a form writes them in the order of its choices. */
export function isOnlyChosen(asked: NamedQuestion, text: string): Logic | undefined {
  const of = toTested(asked)
  if (text === '') return isUnanswered(of)
  const words = listWords(text)
  const order = words.map((word) => [...asked.codes.keys()].indexOf(word))
  if (words.join(' ') !== text || order.includes(-1)) return false
  if (order.some((place, index) => index > 0 && place <= (order[index - 1] ?? 0))) return undefined
  return joinLogic('all', [
    ...words.map((word) => isAnyChosen(of, listIds(asked, word))),
    negateLogic(isCountAtLeast(of, words.length + 1)),
  ])
}

export function compareCount(operator: Operator, of: Tested, than: number): Logic | undefined {
  const atLeast = (count: number) => isCountAtLeast(of, count)
  switch (operator) {
    case 'at-least':
      return atLeast(Math.ceil(than))
    case 'more':
      return atLeast(Math.floor(than) + 1)
    case 'less':
      return negateLogic(atLeast(Math.ceil(than)))
    case 'at-most':
      return negateLogic(atLeast(Math.floor(than) + 1))
    case 'equal':
      return Number.isInteger(than) && than >= 0 && joinLogic('all', [atLeast(than), negateLogic(atLeast(than + 1))])
    default:
      return undefined
  }
}

/** Of a text that is not empty, only comparisons with less than one character are decided. */
export function compareLength(operator: Operator, than: number): Logic | undefined {
  const isBelow = { more: than < 1, 'at-least': than <= 1, less: than <= 1, 'at-most': than < 1, equal: than < 1 }[operator as string]
  if (!isBelow) return undefined
  return operator === 'more' || operator === 'at-least'
}

export function compareConstants(operator: Operator, a: Constant, b: Constant): boolean | undefined {
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

export function compareTextWith(asked: NamedQuestion, value: string): Logic {
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
export function compareAnswers({ one, operator, other, plus }: TwoAnswers): Logic | undefined {
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
