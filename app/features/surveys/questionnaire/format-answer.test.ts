import { expect, test } from 'vitest'
import { getFormatter } from '#app/lib/format.ts'
import { type Language, LANGUAGES } from '#app/lib/languages.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Answer, Question } from '#app/features/surveys/surveys.schema.ts'
import { formatAnswer } from './format-answer.ts'

const title = { en: 'How much?' }
const format = (question: Question, answer: Answer) =>
  LANGUAGES.map((language: Language) =>
    formatAnswer(
      {
        t: ((key: string) => key) as never,
        language,
        format: getFormatter({ language, timeZone: 'America/Halifax', region: 'United Kingdom' }),
        say: (text) => localiseText(text, language, language),
      },
      question,
      answer,
    ).join(),
  )

test('a share has its sign where the language writes it, and other units stay on the line of their number', () => {
  const share: Question = { id: 'q', type: 'slider', title, min: 0, max: 100, unit: { en: '%' } }
  expect(format(share, 10)).toEqual(['10%', '10\u00a0%', '10%'])
  const length: Question = { id: 'q', type: 'number', title, decimals: 1, unit: { en: 'km' } }
  expect(format(length, 2.5)).toEqual(['2.5\u00a0km', '2,5\u00a0km', '2.5\u00a0km'])
})

test('a time of day is the one that was answered, wherever the site is', () => {
  expect(format({ id: 'q', type: 'time', title }, '14:30')).toEqual(['14:30', '14\u00a0h\u00a030', '14:30'])
})

test('what belongs to a row, an amount or “other” follows a colon, with a space before it in French', () => {
  const [row, column] = [
    { id: 'bus', label: { en: 'Bus' } },
    { id: 'often', label: { en: 'Often' } },
  ]
  const grid: Question = { id: 'q', type: 'matrix_one', title, rows: [row], columns: [column, { id: 'never', label: { en: 'Never' } }] }
  expect(format(grid, { rows: { bus: ['often'] } })).toEqual(['Bus: Often', 'Bus\u00a0: Often', 'Bus: Often'])
  const choice: Question = { id: 'q', type: 'one_choice', title, options: [{ ...row, other: true }, column] }
  expect(format(choice, { choice: 'bus', other: 'by night' })).toEqual(['Bus: by night', 'Bus\u00a0: by night', 'Bus: by night'])
  const budget: Question = { id: 'q', type: 'budget', title, measure: 'points', total: 10, options: [row, column] }
  expect(format(budget, { amounts: { bus: 4 } }).map((said) => said.slice(0, 5))).toEqual(['Bus: ', 'Bus\u00a0:', 'Bus: '])
})
