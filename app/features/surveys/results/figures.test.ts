import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeAverages } from './compute-averages.ts'
import type { QuestionFigures, SurveyFigures } from './figures.ts'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import { toPublishableFigures, toPublishableTable } from './publishable-figures.ts'

const rating = (...counts: number[]) => counts.map((count, index) => ({ value: String(index + 1), count }))

describe('averages of a scale', () => {
  it.each([
    ['nobody answered', [0, 0, 0], { mean: null, median: null }],
    ['one did', [0, 0, 1], { mean: 3, median: 3 }],
    ['an even number stands between two steps', [1, 0, 0, 1], { mean: 2.5, median: 2.5 }],
    ['most are in the middle', [1, 2, 1], { mean: 2, median: 2 }],
  ])('%s', (_what, counts, expected) => {
    expect(computeAverages(rating(...counts))).toEqual(expected)
  })

  it('equal those computed from the individual answers', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 60 }), (given) => {
        const counts = Array.from({ length: 7 }, (_, index) => given.filter((step) => step === index + 1).length)
        const sorted = given.toSorted((a, b) => a - b)
        const middle = sorted.length / 2
        const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
        const { mean, median: found } = computeAverages(rating(...counts))
        expect(found).toBe(median)
        expect(mean).toBeCloseTo(given.reduce((sum, step) => sum + step, 0) / given.length)
      }),
    )
  })
})

const question = (
  type: 'one_choice' | 'several_choices' | 'rating',
  counts: number[],
  answered = counts.reduce((sum, each) => sum + each, 0),
): SurveyFigures => ({
  responses: answered,
  medianSeconds: null,
  languages: [],
  sources: [],
  questions: [
    {
      question: {
        id: 'q',
        title: {},
        ...(type === 'rating'
          ? { type, scale: { max: counts.length } }
          : { type, options: counts.map((_, index) => ({ id: String(index + 1), label: {} })) }),
      },
      asked: answered,
      answered,
      cells: rating(...counts),
      rows: [],
      shape: type === 'rating' ? 'scale' : 'bars',
      score: null,
      mean: 1,
      median: 1,
    },
  ],
})
const shown = (figures: SurveyFigures) => toPublishableFigures(figures).questions[0] as QuestionFigures
const cells = (figures: SurveyFigures) => shown(figures).cells.map((cell) => cell.count)

describe('figures anyone may see', () => {
  it('suppress small numbers, and the next smallest if only one is suppressed, since it would give the small one away', () => {
    expect(cells(question('one_choice', [40, 3, 9]))).toEqual([40, null, null])
    expect(cells(question('one_choice', [40, 3, 2, 9]))).toEqual([40, null, null, 9])
    expect(cells(question('one_choice', [40, 9, 6]))).toEqual([40, 9, 6])
  })

  it('show a zero only if it reveals nothing about anyone', () => {
    expect(cells(question('one_choice', [40, 0, 9]))).toEqual([40, null, 9])
  })

  it('suppress enough numbers that together they stand for at least five people', () => {
    expect(cells(question('one_choice', [40, 1, 2, 9]))).toEqual([40, null, null, null])
  })

  it('suppress each small number of a multiple choice independently, since they do not add up', () => {
    expect(cells(question('several_choices', [40, 3, 9], 42))).toEqual([40, null, 9])
  })

  it('suppress another number of a multiple choice if people who chose nothing else must have chosen the suppressed one', () => {
    expect(cells(question('several_choices', [40, 4, 9], 53))).toEqual([40, null, null])
  })

  it('show nothing for a question with few answers', () => {
    expect(shown(question('rating', [1, 1, 2]))).toMatchObject({
      answered: null,
      mean: null,
      median: null,
      cells: [{ count: null }, { count: null }, { count: null }],
    })
  })

  it('suppress an average that would reveal a suppressed number', () => {
    expect(shown(question('rating', [1, 2, 20])).mean).toBeNull()
    expect(shown(question('rating', [6, 7, 20])).mean).toBe(1)
  })

  it('show for a scale with suppressed steps only the average that follows from the visible steps', () => {
    const [one, other] = [shown(question('rating', [4, 3, 200])), shown(question('rating', [3, 4, 200]))]
    expect(one.cells).toEqual(other.cells)
    expect(one.mean).toBe(other.mean)
    expect(one.mean).toBeCloseTo((3.5 * 1 + 3.5 * 2 + 200 * 3) / 207)
  })

  it('never allow a small number to be derived from the others', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 12 }), { minLength: 2, maxLength: 7 }), (counts) => {
        const figures = shown(question('one_choice', counts))
        const hidden = counts.filter((_, index) => figures.cells[index]?.count === null)
        expect(figures.cells.some((cell) => cell.count !== null && cell.count < SUPPRESSION_THRESHOLD)).toBe(false)
        if (figures.answered === null) return
        const together = hidden.reduce((sum, count) => sum + count, 0)
        expect(together > 0 && (hidden.length === 1 || together < SUPPRESSION_THRESHOLD)).toBe(false)
      }),
    )
  })
})

describe('a cross-table', () => {
  const anyTable = fc
    .array(fc.array(fc.nat(40), { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 6 })
    .map((counts) =>
      counts.map((row, index) => ({ value: `r${index}`, cells: row.map((count, column) => ({ value: `c${column}`, count })) })),
    )

  it('as anyone may see it contains no small number, and no suppressed one can be derived from a total', () => {
    fc.assert(
      fc.property(anyTable, (table) => {
        const shown = toPublishableTable(table)
        const lines = [...shown.map(({ cells }) => cells), ...[0, 1, 2].map((column) => shown.map(({ cells }) => cells[column]))]
        for (const line of lines) {
          expect(line.every((cell) => cell?.count === null || (cell?.count ?? 0) >= SUPPRESSION_THRESHOLD)).toBe(true)
          expect(line.filter((cell) => cell?.count === null)).not.toHaveLength(1)
        }
      }),
    )
  })
})
