import { expect, test } from 'vitest'
import type { Definition, Question } from '../../surveys.schema.ts'
import { listDefinitionDifferences } from './definition-differences.ts'

const write = (id: string, title = id): Question => ({ id, type: 'short_text', title: { en: title } })
const choose = (...options: string[]): Question => ({
  id: 'how',
  type: 'one_choice',
  title: { en: 'How?' },
  options: options.map((label) => ({ id: label.toLowerCase(), label: { en: label } })),
})
const ask = (...questions: Question[]): Definition => ({ schema: 1, pages: [{ id: 'p', questions }] })
/** Kind and id of each part that differs, and in what. */
const compare = (before: Definition, after: Definition) =>
  listDefinitionDifferences(before, after).map(({ kind, id, before: was, after: is, isMoved, fields, hasOthers }) =>
    [
      `${kind} ${id}`,
      ...(was ? [] : ['added']),
      ...(is ? [] : ['removed']),
      ...(isMoved ? ['moved'] : []),
      ...fields,
      ...(hasOthers ? ['others'] : []),
    ].join(', '),
  )

test('versions that ask the same have no differences, whatever the order of their members', () => {
  const { id, ...others } = write('a')
  expect(compare(ask(write('a')), ask({ ...others, id }))).toEqual([])
})

test('a question that is only in one version is added or removed, and what is no longer asked counts as removed', () => {
  expect(compare(ask(write('a'), write('b')), ask(write('a'), write('c')))).toEqual(['question c, added', 'question b, removed'])
  expect(compare(ask(write('a')), ask({ ...write('a'), removed: true }))).toEqual(['question a, removed'])
})

test('what can be read side by side is named, and rules are only said to differ', () => {
  expect(compare(ask(write('a', 'Where?')), ask({ ...write('a', 'Where to?'), required: true }))).toEqual(['question a, title, required'])
  const ruled: Question = { ...write('b'), showIf: { all: [{ question: 'a', is: 'answered' }] } }
  expect(compare(ask(write('a'), write('b')), ask(write('a'), ruled))).toEqual(['question b, others'])
})

test('another type, other options and other ends of a scale are named', () => {
  const text: Question = { ...write('how', 'How?'), type: 'long_text' }
  expect(compare(ask(choose('Bus')), ask(text))).toEqual(['question how, type, options'])
  expect(compare(ask(choose('Bus', 'Bike')), ask(choose('Bus')))).toEqual(['question how, options'])
  const rate = (low: string): Question => ({ id: 'r', type: 'rating', title: { en: 'r' }, scale: { max: 5, low: { en: low } } })
  expect(compare(ask(rate('Bad')), ask(rate('Awful')))).toEqual(['question r, low'])
})

test('a question in another place is moved', () => {
  expect(compare(ask(write('a'), write('b')), ask(write('b'), write('a')))).toEqual([expect.stringMatching(/^question [ab], moved$/)])
  const split: Definition = {
    schema: 1,
    pages: [
      { id: 'p', questions: [write('a')] },
      { id: 'q', questions: [write('b')] },
    ],
  }
  expect(compare(ask(write('a'), write('b')), split)).toEqual(['page q, added', 'question b, moved'])
})

test('pages, closing pages and quotas are compared as well', () => {
  const before: Definition = { ...ask(write('a')), endings: [{ id: 'e', title: { en: 'Thanks' } }] }
  const after: Definition = {
    schema: 1,
    pages: [{ id: 'p', title: { en: 'You' }, questions: [write('a')] }],
    endings: [{ id: 'e', title: { en: 'Thank you' } }],
    quotas: [{ id: 'e', when: { question: 'a', is: 'answered' }, limit: 10 }],
  }
  expect(compare(before, after)).toEqual(['page p, title', 'ending e, title', 'quota e, added'])
})
