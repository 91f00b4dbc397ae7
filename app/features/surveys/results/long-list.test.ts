import { describe, expect, it } from 'vitest'
import type { CombinedQuestion } from '../questionnaire/check-definition.ts'
import { buildQuestionFigures } from './figures.ts'
import { isCohortTooSmall, toPublishableFigures, toPublishableQuestion } from './publishable-figures.ts'

const question: CombinedQuestion = {
  id: 'school',
  type: 'one_choice',
  title: { en: 'Your school' },
  options: Array.from({ length: 5000 }, (_, index) => ({ id: `s${index}`, label: { en: `School ${index}` } })),
}
const count = (counts: Record<string, number>) => {
  const people = Object.values(counts).reduce((sum, each) => sum + each, 0)
  const tallies = Object.entries({ '': people, ...counts }).map(([value, each]) => ({ question: 'school', value, count: each, total: 0 }))
  return buildQuestionFigures(question, tallies, people)
}
const list = ({ cells }: ReturnType<typeof count>) => cells.map(({ value, count: each }) => [value, each])

describe('the figures of a long list', () => {
  it('have what people chose, the most frequent first, then in the order of the list', () => {
    expect(list(count({ s40: 6, s7: 9, s4999: 6, s12: 1, gone: 3 }))).toEqual([
      ['s7', 9],
      ['s40', 6],
      ['s4999', 6],
      ['s12', 1],
    ])
  })

  it('in public do not even name what few people chose', () => {
    expect(list(toPublishableQuestion(count({ s40: 6, s7: 9, s12: 4, s13: 3 })))).toEqual([
      ['s7', 9],
      ['s40', 6],
    ])
    expect(toPublishableQuestion(count({ s12: 2, s13: 2 })).cells).toEqual([])
  })

  it('in public hide another count if a single small one could be worked out from the total', () => {
    expect(list(toPublishableQuestion(count({ s40: 6, s7: 9, s12: 1 })))).toEqual([['s7', 9]])
  })

  it('are no way to single out those who chose what is not named', () => {
    const figures = {
      responses: 22,
      medianSeconds: null,
      languages: [],
      sources: [],
      questions: [count({ s40: 6, s7: 9, s12: 4, s13: 3 })],
    }
    const published = toPublishableFigures(figures)
    const asksFor = (value: string) => ({
      groups: [[{ question: 'school', value, low: null, high: null }]],
      from: undefined,
      to: undefined,
    })
    expect(isCohortTooSmall(published, asksFor('s7'), { people: 9, of: 22 })).toBe(false)
    expect(isCohortTooSmall(published, asksFor('s12'), { people: 9, of: 22 })).toBe(true)
  })
})
