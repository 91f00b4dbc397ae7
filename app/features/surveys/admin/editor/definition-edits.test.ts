import { describe, expect, test } from 'vitest'
import type { Definition, Question } from '../../surveys.schema.ts'
import type { Condition } from '../../questionnaire/conditions.schema.ts'
import { addPage, addQuestion, duplicatePage, duplicateQuestion, listOutlineIds, removePage, reorderOutline } from './definition-edits.ts'

const question = (id: string): Question => ({ id, type: 'short_text', title: { en: id } })
const two: Definition = {
  schema: 1,
  pages: [
    { id: 'p1', questions: [question('a'), question('b')] },
    { id: 'p2', questions: [question('c')] },
  ],
}

describe('reordering the outline', () => {
  test.each([
    ['a question down within its page', 'a', ['p1', 'b', 'a', 'p2', 'c'], ['p1', 'b', 'a', 'p2', 'c']],
    ['a question below the next page’s heading', 'b', ['p1', 'a', 'p2', 'b', 'c'], ['p1', 'a', 'p2', 'b', 'c']],
    ['a question up to the page before', 'c', ['p1', 'a', 'b', 'c', 'p2'], ['p1', 'a', 'b', 'c', 'p2']],
    ['a question above the first heading', 'b', ['b', 'p1', 'a', 'p2', 'c'], ['p1', 'b', 'a', 'p2', 'c']],
    ['a page up by one place: before its neighbour', 'p2', ['p1', 'a', 'p2', 'b', 'c'], ['p2', 'c', 'p1', 'a', 'b']],
    ['a page down by one place: behind its neighbour', 'p1', ['a', 'p1', 'b', 'p2', 'c'], ['p2', 'c', 'p1', 'a', 'b']],
    ['a page to the top', 'p2', ['p2', 'p1', 'a', 'b', 'c'], ['p2', 'c', 'p1', 'a', 'b']],
    ['a page to the end', 'p1', ['a', 'b', 'p2', 'c', 'p1'], ['p2', 'c', 'p1', 'a', 'b']],
  ])('moves %s', (_, moved, wanted, order) => {
    expect(listOutlineIds(reorderOutline(two, wanted, moved))).toEqual(order)
  })

  test('returns the identical definition if nothing moved', () => {
    expect(reorderOutline(two, listOutlineIds(two), 'a')).toBe(two)
  })
})

test('a new question goes after the selected one, or to the end of the selected page', () => {
  expect(listOutlineIds(addQuestion(two, question('n'), 'a'))).toEqual(['p1', 'a', 'n', 'b', 'p2', 'c'])
  expect(listOutlineIds(addQuestion(two, question('n'), 'p1'))).toEqual(['p1', 'a', 'b', 'n', 'p2', 'c'])
  expect(listOutlineIds(addQuestion(two, question('n'), undefined))).toEqual(['p1', 'a', 'b', 'p2', 'c', 'n'])
})

test('a new page goes after the selected page', () => {
  const { definition, id } = addPage(two, 'a')
  expect(listOutlineIds(definition)).toEqual(['p1', 'a', 'b', id, 'p2', 'c'])
})

test('copies get new ids, so that answers never get mixed up', () => {
  const copy = duplicateQuestion(two, 'a')
  expect(listOutlineIds(copy.definition)).toEqual(['p1', 'a', copy.id, 'b', 'p2', 'c'])
  const page = duplicatePage(two, 'p1')
  expect(new Set(listOutlineIds(page.definition)).size).toBe(8)
})

test('rules within a copied page refer to the copies', () => {
  const showIf: Condition = {
    all: [
      { question: 'c', is: 'equals', value: { question: 'a' } },
      { question: 'a', is: 'answered' },
    ],
  }
  const shown: Question = { ...question('b'), showIf, title: { en: 'You said {{a}}' } }
  const { definition } = duplicatePage({ schema: 1, pages: [{ id: 'p1', questions: [question('a'), shown] }] }, 'p1')
  const [first, second] = definition.pages[1]?.questions ?? []
  expect(second).toMatchObject({
    showIf: { all: [{ value: { question: first?.id } }, { question: first?.id }] },
    title: { en: `You said {{${first?.id}}}` },
  })
})

test('the last page cannot be removed', () => {
  const one = removePage(two, 'p1')
  expect(listOutlineIds(one)).toEqual(['p2', 'c'])
  expect(removePage(one, 'p2')).toBe(one)
})
