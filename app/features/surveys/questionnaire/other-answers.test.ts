import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { checkLogic } from './check-logic.ts'
import { type ConditionTest, conditionSchema, type OtherAnswer } from './conditions.schema.ts'
import { isConditionMet } from './conditions.ts'
import { resolveRelativeDays } from './relative-days.ts'
import type { Answers, Definition, Question } from '../surveys.schema.ts'

const compare = (question: string, is: ConditionTest['is'], value: OtherAnswer | string | number): ConditionTest => ({
  question,
  is,
  value,
})

describe('a test compares an answer with another', () => {
  test.each<[ConditionTest, Answers, boolean]>([
    [compare('a', 'equals', { question: 'b' }), { a: 3, b: 3 }, true],
    [compare('a', 'not_equals', { question: 'b' }), { a: 3, b: 3 }, false],
    [compare('a', 'not_equals', { question: 'b' }), { a: 3, b: 4 }, true],
    [compare('a', 'at_least', { question: 'b' }), { a: 3, b: 3 }, true],
    [compare('a', 'more_than', { question: 'b' }), { a: 3, b: 3 }, false],
    [compare('a', 'more_than', { question: 'b' }), { a: 4, b: 3 }, true],
    [compare('a', 'less_than', { question: 'b' }), { a: 2, b: 3 }, true],
    [compare('a', 'at_most', { question: 'b', plus: -1 }), { a: 2, b: 3 }, true],
    [compare('a', 'at_most', { question: 'b', plus: -1 }), { a: 2.5, b: 3 }, false],
    [compare('a', 'more_than', { question: 'b', plus: 0.1 }), { a: 0.3, b: 0.2 }, false],
    [compare('to', 'more_than', { question: 'from' }), { from: '2026-02-28', to: '2026-03-01' }, true],
    [compare('to', 'at_least', { question: 'from', plus: 7 }), { from: '2026-02-25', to: '2026-03-04' }, true],
    [compare('to', 'at_least', { question: 'from', plus: 7 }), { from: '2026-02-25', to: '2026-03-03' }, false],
    [compare('name', 'equals', { question: 'again' }), { name: 'Ada ', again: 'ada' }, true],
    // The comparison ignores case unless it is case-sensitive.
    [{ ...compare('name', 'equals', { question: 'again' }), caseSensitive: true }, { name: 'Ada ', again: 'ada' }, false],
    [{ ...compare('name', 'equals', 'Ada'), caseSensitive: true }, { name: ' Ada' }, true],
    [{ ...compare('name', 'not_equals', 'ada'), caseSensitive: true }, { name: 'Ada' }, true],
    [compare('name', 'not_equals', 'ada'), { name: 'Ada' }, false],
    [{ ...compare('name', 'contains', 'Lovelace'), caseSensitive: true }, { name: 'Ada lovelace' }, false],
    [compare('name', 'contains', 'Lovelace'), { name: 'Ada lovelace' }, true],
    [compare('spent', 'more_than', { question: 'wish', row: 'x' }), { spent: 30, wish: { amounts: { x: 20 } } }, true],
    // Nothing can be added to a text, nor a number of days beyond all calendars.
    [compare('name', 'equals', { question: 'again', plus: 1 }), { name: 'Ada', again: 'Ada' }, false],
    [compare('to', 'more_than', { question: 'from', plus: 1e9 }), { from: '2026-02-28', to: '2026-03-01' }, false],
    // Constants as well.
    [compare('a', 'more_than', 3), { a: 3 }, false],
    [compare('name', 'not_equals', 'Ada'), { name: 'Bob' }, true],
  ])('%o for %o: %s', (test_, answers, expected) => {
    expect(v.is(conditionSchema, test_)).toBe(true)
    expect(isConditionMet(test_, answers)).toBe(expected)
  })

  test('and does not hold while one of them is missing', () => {
    for (const is of ['equals', 'not_equals', 'at_least', 'at_most', 'more_than', 'less_than'] as const)
      for (const answers of [{}, { a: 1 }, { b: 1 }] as Answers[])
        expect(isConditionMet(compare('a', is, { question: 'b' }), answers)).toBe(false)
  })
})

describe('the other question', () => {
  const title = { en: 'Question' }
  const questions: Question[] = [
    { id: 'n', type: 'number', title },
    { id: 'm', type: 'rating', title, scale: { max: 5 } },
    { id: 'day', type: 'date', title },
    { id: 'name', type: 'short_text', title },
    { id: 'pick', type: 'yes_no', title },
    { id: 'order', type: 'ranking', title, options: [{ id: 'x', label: title }] },
  ]
  const survey = (showIf: ConditionTest): Definition => ({
    schema: 1,
    pages: [
      { id: 'p', questions },
      {
        id: 'p2',
        questions: [
          { id: 'z', type: 'short_text', title, showIf },
          { id: 'later', type: 'number', title },
        ],
      },
    ],
  })
  const faultsOf = (showIf: ConditionTest) => checkLogic(survey(showIf)).map(({ code, pointer }) => `${code} ${pointer}`)
  const at = '/pages/1/questions/0/showIf'

  test.each<[ConditionTest, string[]]>([
    [compare('n', 'more_than', { question: 'm' }), []],
    [compare('n', 'more_than', { question: 'm', plus: 0.5 }), []],
    [compare('day', 'at_least', { question: 'day', plus: 7 }), []],
    [compare('n', 'equals', { question: 'order', row: 'x' }), []],
    [compare('n', 'equals', { question: 'gone' }), [`unknown-reference ${at}/value`]],
    [compare('n', 'equals', { question: 'later' }), [`refers-later ${at}/value`]],
    [compare('n', 'equals', { question: 'name' }), [`wrong-format ${at}/value`]],
    [compare('n', 'equals', { question: 'pick' }), [`wrong-format ${at}/value`]],
    [compare('n', 'equals', { question: 'order' }), [`wrong-format ${at}/value`]],
    [compare('n', 'equals', { question: 'order', row: 'gone' }), [`unknown-reference ${at}/value`]],
    [compare('name', 'contains', { question: 'name' }), [`wrong-format ${at}/value`]],
    [compare('name', 'equals', { question: 'name', plus: 1 }), [`wrong-format ${at}/value`]],
    [compare('day', 'at_least', { question: 'day', plus: 0.5 }), [`wrong-format ${at}/value`]],
    [compare('m', 'more_than', 5), [`out-of-range ${at}/value`]],
    [compare('m', 'less_than', 1), [`out-of-range ${at}/value`]],
  ])('of %o: %o', (showIf, faults) => {
    expect(faultsOf(showIf)).toEqual(faults)
  })

  test('stays what it is where days are counted from today', () => {
    const definition = survey(compare('day', 'more_than', { question: 'day', plus: 7 }))
    expect(resolveRelativeDays(definition, '2026-11-26')).toEqual(definition)
  })
})
