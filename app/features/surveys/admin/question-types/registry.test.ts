import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { definitionSchema, QUESTION_TYPES, type Question } from '../../surveys.schema.ts'
import { createBlankQuestion, findQuestionEditor, OFFERED_TYPES, changeQuestionType } from './registry.ts'

const mayBeSaved = (question: unknown) => v.is(definitionSchema, { schema: 1, pages: [{ id: 'p1', questions: [question] }] })

test('every question type is offered once', () => {
  expect(OFFERED_TYPES.flat().toSorted()).toEqual([...QUESTION_TYPES].toSorted())
})

describe.each(QUESTION_TYPES)('question type %s', (type) => {
  test('has an editor', () => {
    expect(findQuestionEditor(type)).toBeDefined()
  })

  test('starts out valid enough to be saved', () => {
    expect(mayBeSaved(createBlankQuestion(type, 'q1'))).toBe(true)
  })

  test.each(QUESTION_TYPES)('can change to type %s and be saved', (other) => {
    const question = createBlankQuestion(type, 'q1')
    expect(question && mayBeSaved(changeQuestionType({ ...question, title: { en: 'Why?' } }, other))).toBe(true)
  })
})

test('a question that changes its type keeps its title and other common properties', () => {
  const options = [{ id: 'bus', label: { en: 'Bus' } }]
  const question: Question = { id: 'q1', type: 'one_choice', title: { en: 'How?' }, help: { en: 'Most days' }, required: true, options }
  expect(changeQuestionType(question, 'several_choices')).toEqual({ ...question, type: 'several_choices' })
  expect(changeQuestionType(question, 'long_text')).toEqual({
    id: 'q1',
    type: 'long_text',
    title: { en: 'How?' },
    help: { en: 'Most days' },
    required: true,
  })
})
