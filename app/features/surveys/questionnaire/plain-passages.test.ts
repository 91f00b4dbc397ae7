import { expect, test } from 'vitest'
import { checkPlain } from '#app/lib/plain-words/check-plain.ts'
import type { Question } from '../surveys.schema.ts'
import { listQuestionPassages } from './plain-passages.ts'

const check = (question: Question) =>
  checkPlain(listQuestionPassages(question, 'en'), 'en', []).map(({ code, field }) => [code, field] as const)

const options = [
  { id: 'a', label: { en: 'Red' } },
  { id: 'b', label: { en: 'Green' } },
]

test('choices of a question are checked with the question', () => {
  const question: Question = { id: 'q', type: 'one_choice', title: { en: 'Which colour?' }, options }
  expect(check(question)).toEqual([['missing-none', 'options.0.label']])
  expect(check({ ...question, options: [...options, { id: 'c', label: { en: 'Blue' }, other: true }] })).toEqual([])
  expect(check({ ...question, carry: { question: 'p', which: 'chosen' } })).toEqual([])
  // An option that is no longer offered helps nobody.
  expect(check({ ...question, options: [...options, { id: 'c', label: { en: 'None' }, removed: true }] })).toHaveLength(1)
})

test('yes or no needs “Don’t know” only if an answer is required', () => {
  const question: Question = { id: 'q', type: 'yes_no', title: { en: 'Is it clear?' } }
  expect(check(question)).toEqual([])
  expect(check({ ...question, required: true })).toEqual([['missing-none', 'required']])
})

test('the columns of a scale are checked for balance', () => {
  const columns = ['Strongly agree', 'Agree', 'Slightly agree', 'Disagree'].map((en, at) => ({ id: `c${at}`, label: { en } }))
  const rows = [{ id: 'r', label: { en: 'The benches' } }]
  expect(check({ id: 'q', type: 'likert', title: { en: 'What do you think?' }, rows, columns })).toEqual([
    ['unbalanced', 'columns.0.label'],
  ])
})

test('a declaration to consent to and a text to read ask nothing', () => {
  const title = { en: 'I agree that my answers are kept.' }
  expect(check({ id: 'q', type: 'consent', title })).toEqual([])
  expect(check({ id: 'q', type: 'info', title, text: { en: 'Don’t you agree?' } })).toEqual([])
})
