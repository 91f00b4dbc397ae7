import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { checkDefinition } from '../questionnaire/check-definition.ts'
import { definitionSchema, type Question } from '../surveys.schema.ts'
import { SURVEY_TEMPLATES } from '../templates/templates.ts'
import { copyBankQuestion, detachFromSurvey } from './bank.schema.ts'
import { STANDARD_QUESTIONS } from './standard-questions.ts'

/** Content in code. In a language that was added since, it is shown in English until it is translated and listed here. */
const TRANSLATED = ['en', 'fr-CA', 'cy'] as const

describe('standard demographic questions', () => {
  test('can be published as they are, in every language', () => {
    const definition = { schema: 1 as const, pages: [{ id: 'p', questions: [...STANDARD_QUESTIONS] }] }
    expect(v.is(definitionSchema, definition)).toBe(true)
    expect(checkDefinition(definition, TRANSLATED)).toEqual([])
    expect(new Set(STANDARD_QUESTIONS.map((question) => question.bank)).size).toBe(STANDARD_QUESTIONS.length)
  })

  test('can always be skipped, and always offer "Prefer not to say"', () => {
    for (const question of STANDARD_QUESTIONS) {
      expect(question.required).toBeUndefined()
      expect(question.options.at(-1)?.id).toBe('withheld')
    }
  })
})

describe.each(SURVEY_TEMPLATES.map((template) => [template.id, template] as const))(
  'the template %s',
  (_id, { definition, title, text }) => {
    test('can be published as it is, in every language', () => {
      expect(v.is(definitionSchema, definition)).toBe(true)
      expect(checkDefinition(definition, TRANSLATED)).toEqual([])
      for (const language of TRANSLATED) expect([title[language], text[language]].every(Boolean)).toBe(true)
    })
  },
)

test('a question enters the bank without its links to its survey, and leaves it with a new id', () => {
  const question: Question = {
    id: 'q1',
    type: 'one_choice',
    title: { en: 'Which?' },
    showIf: { question: 'q0', is: 'answered' },
    carry: { question: 'q0', which: 'chosen' },
    options: [
      { id: 'a', label: { en: 'A' }, showIf: { question: 'q0', is: 'answered' } },
      { id: 'b', label: { en: 'B' }, removed: true },
    ],
  }
  const kept = detachFromSurvey(question)
  expect(kept).toEqual({ id: 'q1', type: 'one_choice', title: { en: 'Which?' }, options: [{ id: 'a', label: { en: 'A' } }] })
  expect(copyBankQuestion(kept, 'q9')).toEqual({ ...kept, id: 'q9' })
})
