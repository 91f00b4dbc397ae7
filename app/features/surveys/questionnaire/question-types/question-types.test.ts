import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { SAMPLES, listSampleQuestions } from '#tests/factories/questions.ts'
import { checkAnswers, toFormValues, readAnswers, tidyAnswers } from '../answers.ts'
import { buildFieldName } from '../field-names.ts'
import { listAnswerColumns } from '#app/features/surveys/export/answer-columns.ts'
import { checkDefinition } from '../check-definition.ts'
import { answersSchema, definitionSchema, QUESTION_TYPES, type Definition, type Question } from '#app/features/surveys/surveys.schema.ts'
import { getQuestionField } from './fields.ts'
import { parseTypedNumber } from './text-tools.ts'

const asForm = (question: Question, form: Record<string, string | string[]>) =>
  Object.fromEntries(Object.entries(form).map(([part, value]) => [buildFieldName(question.id, part), value]))
const survey = (...questions: Question[]): Definition => ({ schema: 1, pages: [{ id: 'p1', questions }] })

describe.each(QUESTION_TYPES)('question type %s', (type) => {
  const { question, answer, form, refused } = SAMPLES[type]
  const definition = survey(question)

  it('can be published and passes the schema', () => {
    const whole = type === 'info' ? survey(question, SAMPLES.yes_no.question) : definition
    expect(checkDefinition(whole, ['en', 'fr-CA', 'cy'])).toEqual([])
    expect(v.parse(definitionSchema, JSON.parse(JSON.stringify(definition)))).toEqual(definition)
  })

  it('is read from a plain form, accepted, stored, and written back to the form', () => {
    const read = readAnswers([question], asForm(question, form))
    expect(read).toEqual(answer === undefined ? {} : { [question.id]: answer })
    expect(checkAnswers([question], read)).toEqual([])
    expect(tidyAnswers(definition, read)).toEqual(read)
    expect(v.is(answersSchema, read)).toBe(true)
    expect(readAnswers([question], toFormValues([question], read))).toEqual(read)
  })

  it('can be skipped unless it is required', () => {
    const faults = checkAnswers([question], {}).map(({ code, pointer }) => [code, pointer])
    expect(faults).toEqual(question.required ? [['required', `/${question.id}`]] : [])
  })

  it.each(refused)('refuses %j', (sent, code, part) => {
    const read = readAnswers([question], asForm(question, sent))
    const pointer = ['', question.id, ...(part ? [part] : [])].join('/')
    expect(checkAnswers([question], read).map((fault) => [fault.code, fault.pointer])).toEqual([[code, pointer]])
    expect(readAnswers([question], toFormValues([question], read))).toEqual(read)
    expect(v.is(answersSchema, read)).toBe(true)
  })

  it('has the same columns for every response, filled if it was answered', () => {
    const columns = listAnswerColumns(definition, 'en', 'en')
    const values = columns.map((column) => column.value(answer === undefined ? {} : { [question.id]: answer }))
    expect(columns.map((column) => column.value({}))).toEqual(columns.map(() => null))
    if (type === 'info') expect(columns).toEqual([])
    else expect(values.some((value) => value !== null)).toBe(true)
    expect(new Set(columns.map((column) => column.code)).size).toBe(columns.length)
  })

  it('has its own field component', () => {
    expect(getQuestionField(question)).toBeTypeOf('function')
  })
})

describe('answer columns', () => {
  it('separate whether "other" was chosen from the text beside it', () => {
    const options = [
      { id: 'a', label: { en: 'A' } },
      { id: 'other', label: { en: 'Another' }, other: true as const },
    ]
    const columns = listAnswerColumns(survey({ id: 'want', type: 'several_choices', title: { en: 'Want' }, options }), 'en', 'en')
    const answers = { want: { choices: ['other'], other: 'Shade' } }
    expect(columns.map((column) => [column.code, column.value(answers)])).toEqual([
      ['want.a', 0],
      ['want.other', 1],
      ['want.other.text', 'Shade'],
    ])
  })

  it('exist for each option, row or part, with codes beside labels', () => {
    const headings = listAnswerColumns(survey(...listSampleQuestions()), 'en', 'en').map((column) => /\[(.+)\]/.exec(column.heading)?.[1])
    expect(headings).toEqual(
      expect.arrayContaining([
        'ranking.blue',
        'budget.red',
        'likert.park',
        'likert.park.code',
        'matrix_several.park.good',
        'address.postcode',
        'place.lat',
        'one_choice.code',
      ]),
    )
  })
})

describe('a number as people type it', () => {
  it.each<[string, number | string | undefined]>([
    ['', undefined],
    ['1200', 1200],
    ['1 200,5', 1200.5],
    ['1 200', 1200],
    ['1,200', 1200],
    ['1,5', 1.5],
    ['$1,200.50', 1200.5],
    ['40 %', 40],
    ['−3', -3],
    ['1e9', '1e9'],
    ['12a', '12a'],
    ['1.2.3', '1.2.3'],
  ])('%j', (typed, expected) => {
    expect(parseTypedNumber(typed)).toBe(expected)
  })
})
