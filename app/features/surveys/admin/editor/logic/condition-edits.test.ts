import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import type { ConditionTest } from '#app/features/surveys/questionnaire/conditions.schema.ts'
import { definitionSchema, type Definition, QUESTION_TYPES, type Question } from '../../../surveys.schema.ts'
import { createBlankQuestion } from '../../question-types/registry.ts'
import {
  joinConditions,
  splitCondition,
  listQuestionsBefore,
  listQuestionsBeforePage,
  isOptionTest,
  createDay,
  createOtherAnswer,
  listComparable,
  createTest,
  getDayMeasure,
  listTestKinds,
  changeTestKind,
  canMatchCase,
} from './condition-edits.ts'
import { formatRelativeDay } from './format-relative-day.ts'
import { addEnding, addQuota, listQuotaCells, changeQuota, removeEnding, splitQuota } from './logic-edits.ts'

const text = (id: string, more: object = {}): Question => ({ id, type: 'short_text', title: { en: id }, ...more })
const two: Definition = {
  schema: 1,
  pages: [
    { id: 'p1', questions: [text('a'), { id: 'i', type: 'info', title: {} }, text('gone', { removed: true })] },
    { id: 'p2', questions: [text('b'), text('c')] },
  ],
}

describe('a rule can refer', () => {
  const ids = (questions: readonly Question[]) => questions.map((question) => question.id)

  test('to earlier questions only', () => {
    expect(ids(listQuestionsBefore(two, 'c'))).toEqual(['a', 'b'])
    expect(ids(listQuestionsBefore(two, 'a'))).toEqual([])
    expect(ids(listQuestionsBeforePage(two, 'p2'))).toEqual(['a'])
    expect(ids(listQuestionsBeforePage(two, 'p2', true))).toEqual(['a', 'b', 'c'])
  })

  test.each(QUESTION_TYPES.filter((type) => type !== 'info'))('to a question of type %s, in a way that can be saved', (type) => {
    const question = createBlankQuestion(type, 'q1')
    if (!question) throw new Error(type)
    const tests = listTestKinds(question).map((is) => changeTestKind(createTest(question), is))
    expect(tests.length).toBeGreaterThan(type === 'file' ? 1 : 2)
    expect(tests.every((each) => (each.options !== undefined) === isOptionTest(each.is))).toBe(true)
    const pages = [{ id: 'p', questions: [question, text('z', { showIf: { all: tests } })] }]
    expect(v.is(definitionSchema, { schema: 1, pages })).toBe(true)
  })

  test('to a day counted from the day of answering, where today is 0 days ago', () => {
    expect(createDay('year-ago', 18)).toEqual({ ago: 18, unit: 'year' })
    expect(createDay('day-ahead', 14)).toEqual({ ago: -14, unit: 'day' })
    expect(createDay('month-ahead', 0)).toEqual({ ago: -1, unit: 'month' })
    expect(createDay('day-ago', 1e9)).toEqual({ ago: 50_000, unit: 'day' })
    expect(getDayMeasure(createDay('day-ago', 0))).toBe('day-ago')
    expect(getDayMeasure(createDay('year-ahead', 2))).toBe('year-ahead')
    expect(getDayMeasure('2026-11-24')).toBe('date')
    expect(formatRelativeDay({ ago: 18, unit: 'year' }, 'en')).toBe('18 years ago')
    expect(formatRelativeDay({ ago: 0, unit: 'day' }, 'fr-CA')).toBe('aujourd’hui')
    expect(formatRelativeDay({ ago: -2, unit: 'month' }, 'cy')).toBe('ymhen 2 fis')
  })

  test('to another answer of the same kind, which goes when the test no longer compares', () => {
    const number = (id: string): Question => ({ id, type: 'number', title: { en: id } })
    const order: Question = { id: 'order', type: 'ranking', title: {}, options: [{ id: 'x', label: {} }] }
    const sources = [number('n'), text('a'), text('b'), order]
    const namesFor = (question: Question, is: ConditionTest['is']) => listComparable(question, is, sources).map(({ id }) => id)
    expect(namesFor(number('n'), 'more_than')).toEqual(['order'])
    expect(namesFor(text('a'), 'equals')).toEqual(['b'])
    expect(namesFor(text('a'), 'contains')).toEqual([])
    expect(createOtherAnswer(order, 3)).toEqual({ question: 'order', row: 'x', plus: 3 })
    const test: ConditionTest = { question: 'a', is: 'equals', value: createOtherAnswer(text('b')) }
    expect(changeTestKind(test, 'not_equals').value).toEqual({ question: 'b' })
    expect(changeTestKind(test, 'contains').value).toBeUndefined()
  })

  test('to capital letters that count, where texts are compared', () => {
    const test: ConditionTest = { question: 'a', is: 'equals', value: 'Yes', caseSensitive: true }
    expect(changeTestKind(test, 'contains')).toEqual({ ...test, is: 'contains' })
    expect(changeTestKind(test, 'answered')).toEqual({ question: 'a', is: 'answered' })
    expect([canMatchCase(text('a'), 'equals'), canMatchCase(text('a'), 'answered')]).toEqual([true, false])
    expect(canMatchCase({ id: 'n', type: 'number', title: {} }, 'equals')).toBe(false)
  })

  test('to groups that can be split and joined again', () => {
    const [a, b] = [text('a'), text('b')].map(createTest)
    if (!a || !b) throw new Error('two tests')
    expect(splitCondition(a, 'showIf')).toMatchObject({ join: 'all', parts: [a] })
    expect(splitCondition(a, 'showIf').at(0)).toBe('showIf')
    const both = joinConditions('any', [a, b])
    expect(both && splitCondition(both, 'showIf').at(1)).toBe('showIf.any.1')
    expect(joinConditions('all', [])).toBeUndefined()
  })
})

describe('closing pages and quotas', () => {
  test('removing a closing page leaves nobody without an ending', () => {
    const { definition, id } = addEnding(two)
    const used: Definition = {
      ...definition,
      pages: definition.pages.map((page) => ({ ...page, next: [{ end: id }] })),
      quotas: [{ id: 'k', when: createTest(text('a')), limit: 5, end: id }],
    }
    const after = removeEnding(used, id)
    expect(after.endings).toEqual([])
    expect(after.pages.map((page) => page.next)).toEqual([[{ end: '' }], [{ end: '' }]])
    expect(after.quotas?.[0]).not.toHaveProperty('end')
  })

  test('one quota for several answers splits into one per answer, and the first keeps the count', () => {
    const { definition, id } = addQuota(two, { question: 'a', is: 'any_of', options: ['x', 'y', 'z'] })
    const limited = changeQuota(definition, id, (quota) => ({ ...quota, limit: 40 }))
    const split = splitQuota(limited, id).quotas ?? []
    expect(split.map(({ when, limit }) => ['options' in when ? when.options : [], limit])).toEqual([
      [['x'], 40],
      [['y'], 40],
      [['z'], 40],
    ])
    expect(split[0]?.id).toBe(id)
    expect(new Set(split.map((quota) => quota.id)).size).toBe(3)
    expect(split.flatMap(listQuotaCells)).toEqual([])
  })
})
