import { getOwn } from './question-types/question-type.ts'
import type { Condition, ConditionTest, OtherAnswer } from './conditions.schema.ts'
import type { Answer, Answers } from '../surveys.schema.ts'

/** Whether a condition holds for these answers. Without an answer, only `unanswered`, `none_of` and `chosen_at_most` can hold. */
export function isConditionMet(condition: Condition, answers: Answers): boolean {
  if ('all' in condition) return condition.all.every((each) => isConditionMet(each, answers))
  if ('any' in condition) return condition.any.some((each) => isConditionMet(each, answers))
  return isTestMet(condition, getOwn(answers, condition.question), findComparedValue(condition.value, answers))
}

export const isOtherAnswer = (value: ConditionTest['value']): value is OtherAnswer => typeof value === 'object' && 'question' in value

/** The value to compare with, which may be another answer. */
function findComparedValue(value: ConditionTest['value'], answers: Answers): string | number | undefined {
  if (isOtherAnswer(value)) return addTo(findAnswerValue(getOwn(answers, value.question), value.row), value.plus)
  // `resolveRelativeDays` has replaced any other.
  return value as string | number | undefined
}

/** Every test in a condition, at any depth, with its pointer. */
export function listTests(condition: Condition, at: string): { test: ConditionTest; at: string }[] {
  if ('all' in condition) return condition.all.flatMap((each, index) => listTests(each, `${at}/all/${index}`))
  if ('any' in condition) return condition.any.flatMap((each, index) => listTests(each, `${at}/any/${index}`))
  return [{ test: condition, at }]
}

function isTestMet(test: ConditionTest, answer: Answer | undefined, than: string | number | undefined): boolean {
  const chosen = listChosenOptions(answer, test.row)
  const value = findAnswerValue(answer, test.row)
  const options = test.options ?? []
  const [text, other] = [value, than].map((each) => (each === undefined ? undefined : normaliseValue(each, test.caseSensitive)))
  switch (test.is) {
    case 'answered':
      return test.row === undefined ? answer !== undefined : chosen.length > 0 || value !== undefined
    case 'unanswered':
      return test.row === undefined ? answer === undefined : chosen.length === 0 && value === undefined
    case 'any_of':
      return options.some((id) => chosen.includes(id))
    case 'all_of':
      return options.length > 0 && options.every((id) => chosen.includes(id))
    case 'none_of':
      return !options.some((id) => chosen.includes(id))
    case 'equals':
      return text !== undefined && other !== undefined && text === other
    case 'not_equals':
      return text !== undefined && other !== undefined && text !== other
    case 'contains':
      return text !== undefined && other !== undefined && text.includes(other)
    case 'at_least':
      return compareValues(value, than) >= 0
    case 'at_most':
      return compareValues(value, than) <= 0
    case 'more_than':
      return compareValues(value, than) > 0
    case 'less_than':
      return compareValues(value, than) < 0
    case 'chosen_at_least':
      return chosen.length >= Number(than)
    case 'chosen_at_most':
      return chosen.length <= Number(than)
  }
}

/** A number, or a day so many days later; undefined for anything else. */
function addTo(value: string | number | undefined, plus = 0): string | number | undefined {
  if (plus === 0 || value === undefined) return value
  if (typeof value === 'number') return Number((value + plus).toFixed(9))
  const day = new Date(Date.parse(value) + plus * 86_400_000)
  return Number.isNaN(day.getTime()) ? undefined : day.toISOString().slice(0, 10)
}

function normaliseValue(value: string | number, caseSensitive = false): string {
  const text = String(value).trim()
  return caseSensitive ? text : text.toLowerCase()
}

/** Comparator: negative, zero or positive; NaN if the values cannot be compared. */
function compareValues(a: string | number | undefined, b: string | number | undefined): number {
  if (a === undefined || b === undefined || typeof a !== typeof b) return Number.NaN
  if (typeof a === 'number') return a - Number(b)
  return a < b ? -1 : Number(a > b)
}

/** The chosen options; for a grid the columns of one row, or of all. */
function listChosenOptions(answer: Answer | undefined, row: string | undefined): readonly string[] {
  if (typeof answer !== 'object') return []
  if ('choice' in answer) return [answer.choice]
  if ('choices' in answer) return answer.choices
  if (!('rows' in answer)) return []
  return row === undefined ? Object.values(answer.rows).flat() : (getOwn(answer.rows, row) ?? [])
}

/** The text or number given; for a ranking or a budget the value of one item. */
function findAnswerValue(answer: Answer | undefined, row: string | undefined): string | number | undefined {
  if (typeof answer !== 'object') return answer
  if ('ranks' in answer) return row === undefined ? undefined : getOwn(answer.ranks, row)
  if ('amounts' in answer) return row === undefined ? undefined : getOwn(answer.amounts, row)
  if ('address' in answer) return Object.values(answer.address).join(' ')
  if ('place' in answer) return answer.place.address
  return 'other' in answer ? answer.other : undefined
}
