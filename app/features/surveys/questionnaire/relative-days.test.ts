import { expect, test } from 'vitest'
import { checkLogic } from './check-logic.ts'
import type { Condition, RelativeDay } from './conditions.schema.ts'
import { resolveRelativeDays } from './relative-days.ts'
import { walkSurvey } from './walk-survey.ts'
import type { Definition, Question } from '../surveys.schema.ts'

const survey = (showIf: Condition, first: Question = { id: 'born', type: 'date', title: { en: 'Born' } }): Definition => ({
  schema: 1,
  pages: [{ id: 'p', questions: [first, { id: 'vote', type: 'short_text', title: { en: 'Vote' }, showIf }] }],
})

const from = (value: RelativeDay, is: 'at_least' | 'at_most' | 'equals' = 'at_most') => survey({ question: 'born', is, value })

const isAsked = (definition: Definition, today: string, born: string) =>
  walkSurvey(resolveRelativeDays(definition, today), { born }, 'x').pages[0]?.questions.some(({ id }) => id === 'vote')

test('a day so long ago is counted from the day of answering', () => {
  const adults = from({ ago: 18, unit: 'year' })
  expect(isAsked(adults, '2026-11-24', '2008-11-24')).toBe(true)
  expect(isAsked(adults, '2026-11-24', '2008-11-25')).toBe(false)
  expect(isAsked(adults, '2026-11-25', '2008-11-25')).toBe(true)
  const lately = from({ ago: 2, unit: 'month' }, 'at_least')
  expect(isAsked(lately, '2026-11-24', '2026-09-24')).toBe(true)
  expect(isAsked(lately, '2026-11-24', '2026-09-23')).toBe(false)
  const soon = from({ ago: -14, unit: 'day' })
  expect(isAsked(soon, '2026-12-24', '2027-01-07')).toBe(true)
  expect(isAsked(soon, '2026-12-24', '2027-01-08')).toBe(false)
  expect(isAsked(from({ ago: 0, unit: 'day' }, 'equals'), '2026-11-24', '2026-11-24')).toBe(true)
})

test('a day that the month lacks is its last', () => {
  expect(isAsked(from({ ago: 1, unit: 'month' }, 'equals'), '2026-03-31', '2026-02-28')).toBe(true)
  expect(isAsked(from({ ago: 1, unit: 'year' }, 'equals'), '2028-02-29', '2027-02-28')).toBe(true)
  expect(isAsked(from({ ago: -1, unit: 'month' }, 'equals'), '2027-12-31', '2028-01-31')).toBe(true)
})

test('only dates can be compared with such a day', () => {
  const value: RelativeDay = { ago: 1, unit: 'day' }
  expect(checkLogic(from(value))).toEqual([])
  const text: Question = { id: 'born', type: 'short_text', title: { en: 'Born' } }
  expect(checkLogic(survey({ question: 'born', is: 'equals', value }, text))).toEqual([
    { code: 'wrong-format', pointer: '/pages/0/questions/1/showIf/value' },
  ])
})
