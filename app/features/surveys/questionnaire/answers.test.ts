import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { checkAnswers, toFormValues, listQuestions, readAnswers, tidyAnswers } from './answers.ts'
import { buildFieldName } from './field-names.ts'
import { answersSchema, definitionSchema, type Answers, type Definition, type Question } from '../surveys.schema.ts'

const survey = (...questions: Question[]): Definition => ({ schema: 1, pages: [{ id: 'p1', questions }] })
const title = { en: 'How?' }
const codes = (definition: Definition, answers: unknown) =>
  checkAnswers(listQuestions(definition), answers as Answers).map(({ code, pointer, values }) => [
    code,
    pointer,
    ...(values ? [values] : []),
  ])

describe('checkAnswers', () => {
  const text = (more: object = {}) => survey({ id: 'a', type: 'short_text', title, ...more })
  const several = (more: object = {}) =>
    survey({
      id: 'a',
      type: 'several_choices',
      title,
      options: [
        { id: 'x', label: {} },
        { id: 'y', label: {} },
        { id: 'z', label: {} },
        { id: 'say', label: {}, other: true },
        { id: 'none', label: {}, exclusive: true },
      ],
      ...more,
    })
  const one = (more: object = {}) =>
    survey({
      id: 'a',
      type: 'one_choice',
      title,
      options: [
        { id: 'x', label: {} },
        { id: 'say', label: {}, other: true },
      ],
      ...more,
    })
  const rating = survey({ id: 'a', type: 'rating', title, scale: { max: 5 } })

  it.each([
    ['a required question left alone', text({ required: true }), {}, [['required', '/a']]],
    ['a required text of spaces', text({ required: true }), { a: ' \n ' }, [['required', '/a']]],
    ['an optional question left alone', text(), {}, []],
    ['a text at its limit, in characters and not in bytes', text({ maxLength: 3 }), { a: 'é🙂ŵ' }, []],
    ['a text over its limit', text({ maxLength: 3 }), { a: 'four' }, [['too-long', '/a', { max: 3 }]]],
    ['a text under its least', text({ minLength: 3 }), { a: 'no' }, [['too-short', '/a', { min: 3 }]]],
    ['an optional text with a least, left alone', text({ minLength: 3 }), { a: '' }, []],
    ['a number for a text', text(), { a: 3 }, [['wrong-type', '/a']]],
    ['an option that is there', one(), { a: { choice: 'x' } }, []],
    ['an option that is not', one(), { a: { choice: 'q' } }, [['not-a-choice', '/a']]],
    ['"other" with words', one(), { a: { choice: 'say', other: 'by boat' } }, []],
    ['"other" without words', one(), { a: { choice: 'say', other: ' ' } }, [['required', '/a/other']]],
    ['"other" with too many words', one(), { a: { choice: 'say', other: 'x'.repeat(501) } }, [['too-long', '/a/other', { max: 500 }]]],
    ['several choices for one', one(), { a: { choices: ['x'] } }, [['wrong-type', '/a']]],
    ['no choice where one is required', several({ required: true }), { a: { choices: [] } }, [['required', '/a']]],
    ['too few choices', several({ minChoices: 2 }), { a: { choices: ['x'] } }, [['too-few', '/a', { min: 2 }]]],
    ['the same choice twice as two', several({ minChoices: 2 }), { a: { choices: ['x', 'x'] } }, [['too-few', '/a', { min: 2 }]]],
    ['"none of these" alone where two are asked', several({ minChoices: 2 }), { a: { choices: ['none'] } }, []],
    ['too many choices', several({ maxChoices: 2 }), { a: { choices: ['x', 'y', 'z'] } }, [['too-many', '/a', { max: 2 }]]],
    ['"none of these" with others', several(), { a: { choices: ['none', 'x'] } }, [['exclusive-choice', '/a']]],
    ['a rating', rating, { a: 5 }, []],
    ['a rating beyond the scale', rating, { a: 6 }, [['not-a-choice', '/a']]],
    ['a rating of nothing', rating, { a: 0 }, [['not-a-choice', '/a']]],
    ['half a rating', rating, { a: 2.5 }, [['not-a-choice', '/a']]],
    ['a rating in words', rating, { a: 'good' }, [['not-a-choice', '/a']]],
    ['an answer to no question', text(), { b: 'x' }, [['unknown-attribute', '/b']]],
    [
      'an answer named like a part of every object',
      text({ required: true }),
      JSON.parse('{"constructor": "x"}'),
      [
        ['required', '/a'],
        ['unknown-attribute', '/constructor'],
      ],
    ],
  ])('%s', (_what, definition, answers, faults) => {
    expect(codes(definition, answers)).toEqual(faults)
  })
})

describe('readAnswers', () => {
  const definition = survey(
    { id: 'words', type: 'long_text', title },
    { id: 'line', type: 'short_text', title },
    {
      id: 'one',
      type: 'one_choice',
      title,
      options: [
        { id: 'x', label: {} },
        { id: 'say', label: {}, other: true },
      ],
    },
    {
      id: 'many',
      type: 'several_choices',
      title,
      options: [
        { id: 'x', label: {} },
        { id: 'y', label: {} },
        { id: 'say', label: {}, other: true },
      ],
    },
    { id: 'rate', type: 'rating', title, scale: { max: 5 } },
  )

  it('reads what a browser sends', () => {
    expect(
      readAnswers(listQuestions(definition), {
        'q.words': ' One\r\ntwo ',
        'q.line': 'a\u0000b',
        'q.one': 'say',
        'q.one.other': 'by boat',
        'q.many': ['y', 'x'],
        'q.rate': '4',
        other: 'x',
      }),
    ).toEqual({ words: 'One\ntwo', line: 'ab', one: { choice: 'say', other: 'by boat' }, many: { choices: ['x', 'y'] }, rate: 4 })
  })

  it('omits unanswered questions', () => {
    expect(readAnswers(listQuestions(definition), { 'q.words': '', 'q.one': '', 'q.one.other': ' ', 'q.rate': '' })).toEqual({})
  })

  it('treats text beside "other" as choosing it, so that the text is not lost', () => {
    expect(readAnswers(listQuestions(definition), { 'q.one.other': 'by boat', 'q.many': 'x', 'q.many.other': 'a bench' })).toEqual({
      one: { choice: 'say', other: 'by boat' },
      many: { choices: ['x', 'say'], other: 'a bench' },
    })
  })

  it('keeps a rating that is not a number, for the check to refuse', () => {
    const answers = readAnswers(listQuestions(definition), { 'q.rate': '4; drop table' })
    expect(checkAnswers(listQuestions(definition), answers)).toEqual([{ code: 'not-a-choice', pointer: '/rate' }])
  })
})

// Properties, over any definition that the schema accepts.

const id = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}$/)
const label = fc.record({ en: fc.string({ maxLength: 20 }) })
const option = (index: number) => fc.record({ id: fc.constant(`o${index}`), label }, { requiredKeys: ['id', 'label'] })
const optionList = fc
  .nat({ max: 5 })
  .chain((length) => fc.tuple(...Array.from({ length: length + 2 }, (_, index) => option(index))))
  .chain((options) =>
    fc.tuple(fc.boolean(), fc.boolean()).map(([other, exclusive]) =>
      options.map((each, index) => ({
        ...each,
        ...(other && index === 0 ? { other: true as const } : {}),
        ...(exclusive && index === options.length - 1 ? { exclusive: true as const } : {}),
      })),
    ),
  )
const common = { title: label, required: fc.boolean() }
const question = fc.oneof(
  fc.record({
    ...common,
    type: fc.constantFrom('short_text' as const, 'long_text' as const),
    minLength: fc.nat({ max: 4 }),
    maxLength: fc.integer({ min: 4, max: 40 }),
  }),
  fc.record({ ...common, type: fc.constant('one_choice' as const), options: optionList }),
  fc.record({ ...common, type: fc.constant('several_choices' as const), options: optionList, minChoices: fc.nat({ max: 2 }) }),
  fc.record({ ...common, type: fc.constant('rating' as const), scale: fc.record({ max: fc.integer({ min: 2, max: 10 }) }) }),
)
const anyDefinition = fc
  .uniqueArray(id, { minLength: 1, maxLength: 8 })
  .chain((ids) =>
    fc
      .tuple(...ids.map(() => question))
      .map((questions): Definition => survey(...questions.map((each, index) => ({ ...each, id: ids[index] ?? 'a' })))),
  )
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('\ud800', '\u0000', '=1+1', '<b>', "' or 1=1 --"),
)
const anyValues = (definition: Definition) =>
  fc.record(
    Object.fromEntries(
      listQuestions(definition).flatMap((each) => [
        [buildFieldName(each.id), fc.oneof(anyText, fc.array(fc.oneof(fc.constantFrom('o0', 'o1', 'o2', '3'), anyText), { maxLength: 4 }))],
        [buildFieldName(each.id, 'other'), anyText],
      ]),
    ),
    { requiredKeys: [] },
  )
const sent = anyDefinition.chain((definition) => fc.tuple(fc.constant(definition), anyValues(definition)))

describe('whatever is asked and whatever is sent', () => {
  it('the generated definitions pass the schema', () => {
    fc.assert(
      fc.property(anyDefinition, (definition) => {
        expect(v.is(definitionSchema, definition)).toBe(true)
      }),
    )
  })

  it('a form yields answers that the schema accepts or the check refuses, and reading them never throws', () => {
    fc.assert(
      fc.property(sent, ([definition, values]) => {
        const answers = readAnswers(listQuestions(definition), values)
        expect(checkAnswers(listQuestions(definition), answers).length > 0 || v.is(answersSchema, answers)).toBe(true)
      }),
    )
  })

  it('tidying is idempotent and does not change the verdict', () => {
    fc.assert(
      fc.property(sent, ([definition, values]) => {
        const answers = readAnswers(listQuestions(definition), values)
        const tidied = tidyAnswers(definition, answers)
        expect(tidyAnswers(definition, tidied)).toEqual(tidied)
        expect(checkAnswers(listQuestions(definition), tidied)).toEqual(checkAnswers(listQuestions(definition), answers))
      }),
    )
  })

  it('an accepted answer survives a round trip through the form', () => {
    fc.assert(
      fc.property(sent, ([definition, values]) => {
        const answers = tidyAnswers(definition, readAnswers(listQuestions(definition), values))
        fc.pre(checkAnswers(listQuestions(definition), answers).length === 0)
        expect(readAnswers(listQuestions(definition), toFormValues(listQuestions(definition), answers))).toEqual(answers)
      }),
      { numRuns: 300 },
    )
  })

  it('an accepted answer survives JSON and contains nothing a database refuses', () => {
    fc.assert(
      fc.property(sent, ([definition, values]) => {
        const answers = tidyAnswers(definition, readAnswers(listQuestions(definition), values))
        fc.pre(checkAnswers(listQuestions(definition), answers).length === 0)
        const json = JSON.stringify(answers)
        expect(JSON.parse(json)).toEqual(answers)
        expect(json).not.toMatch(/\\u0000|\\ud[89a-f]/i)
      }),
    )
  })

  it('any JSON the schema accepts as answers is checked without throwing', () => {
    const anyAnswer = fc.oneof(
      anyText,
      fc.double({ noNaN: true }),
      fc.record({ choice: id, other: anyText }, { requiredKeys: ['choice'] }),
      fc.record({ choices: fc.array(id), other: anyText }, { requiredKeys: ['choices'] }),
    )
    fc.assert(
      fc.property(anyDefinition, fc.dictionary(id, anyAnswer), (definition, answers) => {
        const known = new Set(listQuestions(definition).map((each) => each.id))
        const refused = new Set(checkAnswers(listQuestions(definition), answers).map((fault) => fault.pointer?.split('/')[1]))
        expect(Object.keys(answers).filter((each) => !known.has(each) && !refused.has(each))).toEqual([])
      }),
    )
  })
})
