import { expect, test } from 'vitest'
import type { Definition } from '../../../surveys.schema.ts'
import { layOutSurveyMap } from './map-layout.ts'

const chose = { question: 'a', is: 'any_of' as const, options: ['x'] }
const definition: Definition = {
  schema: 1,
  pages: [
    {
      id: 'p1',
      questions: [],
      next: [
        { when: chose, page: 'p3' },
        { when: chose, end: 'away' },
      ],
    },
    { id: 'p2', questions: [], showIf: chose, next: [{ end: '' }] },
    { id: 'p3', questions: [] },
  ],
  endings: [
    { id: 'away', title: {} },
    { id: 'idle', title: {} },
  ],
}

test('a survey’s map has each page, the end and each closing page, and marks unreachable ones', () => {
  const { nodes } = layOutSurveyMap(definition)
  expect(nodes.map(({ id, isReached }) => [id, isReached])).toEqual([
    ['p1', true],
    ['p2', true],
    ['p3', true],
    ['', true],
    ['away', true],
    ['idle', false],
  ])
})

test('every path on the map is one the evaluator takes; jumps are numbered and never overlap in a track', () => {
  const { lines, tracks } = layOutSurveyMap(definition)
  expect(lines.map(({ way, number, track }) => [way.kind, way.from, way.to, number, track])).toEqual([
    ['jump', 'p1', 'p3', 1, 0],
    ['jump', 'p1', 'away', 2, 1],
    ['next', 'p1', 'p2', undefined, undefined],
    ['skip', 'p2', 'p3', undefined, undefined],
    ['jump', 'p2', '', 3, 2],
    ['next', 'p3', '', undefined, undefined],
  ])
  expect(tracks).toBe(3)
})
