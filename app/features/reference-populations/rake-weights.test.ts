import { assert, integer, array, property, record, shuffledSubarray, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildMargin, type Margin, rakeWeights, type WeightingCell } from './rake-weights.ts'

const AGES = ['young', 'old']
const HOMES = ['own', 'rent', 'other']
const WIDE = { least: 0, most: 1e9 }

/** People of every combination, so that any margins can be met. */
const cellsOf = (people: readonly number[]): WeightingCell[] =>
  AGES.flatMap((age, a) => HOMES.map((home, h) => ({ categories: [age, home], people: people[a * HOMES.length + h] ?? 1 })))
const marginOf = (name: string, categories: readonly string[], people: readonly number[]): Margin => {
  const sum = people.reduce((all, one) => all + one, 0)
  return { name, shares: new Map(categories.map((category, at) => [category, (people[at] ?? 0) / sum])) }
}
const people = (length: number) => array(integer({ min: 1, max: 500 }), { minLength: length, maxLength: length })
const sample = record({ people: people(6), ages: people(2), homes: people(3) })
const marginsOf = ({ ages, homes }: { ages: number[]; homes: number[] }) => [marginOf('age', AGES, ages), marginOf('home', HOMES, homes)]

function requireWeights(...input: Parameters<typeof rakeWeights>) {
  const result = rakeWeights(...input)
  if (!result.ok) throw new Error(result.reason)
  return result.weights
}
const shareOf = (cells: readonly WeightingCell[], weights: readonly number[], margin: number, category: string) => {
  const sum = (some: (cell: WeightingCell) => boolean) =>
    cells.reduce((all, cell, at) => all + (some(cell) ? cell.people * (weights[at] ?? 0) : 0), 0)
  return sum(({ categories }) => categories[margin] === category) / sum(() => true)
}
const meanOf = (cells: readonly WeightingCell[], weights: readonly number[]) =>
  cells.reduce((sum, cell, at) => sum + cell.people * (weights[at] ?? 0), 0) / cells.reduce((sum, cell) => sum + cell.people, 0)

describe('raking', () => {
  test('meets every margin where no cap binds', () => {
    assert(
      property(sample, (one) => {
        const cells = cellsOf(one.people)
        const { weights } = requireWeights(cells, marginsOf(one), WIDE)
        for (const [at, { shares }] of marginsOf(one).entries())
          for (const [category, share] of shares) expect(shareOf(cells, weights, at, category)).toBeCloseTo(share, 6)
      }),
    )
  })

  test('gives weights whose mean is 1 and that stay within the caps', () => {
    assert(
      property(sample, (one) => {
        const cells = cellsOf(one.people)
        const { weights, effectivePeople } = requireWeights(cells, marginsOf(one))
        expect(meanOf(cells, weights)).toBeCloseTo(1, 6)
        for (const weight of weights) {
          expect(weight).toBeGreaterThanOrEqual(0.3 - 1e-9)
          expect(weight).toBeLessThanOrEqual(3 + 1e-9)
        }
        expect(effectivePeople).toBeLessThanOrEqual(cells.reduce((sum, cell) => sum + cell.people, 0) + 1e-6)
      }),
    )
  })

  test('does not depend on the order of margins or people', () => {
    const orders = shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 })
    assert(
      property(tuple(sample, orders), ([one, order]) => {
        const cells = cellsOf(one.people)
        const straight = requireWeights(cells, marginsOf(one))
        const turned = requireWeights(
          order.flatMap((at) => cells.slice(at, at + 1)).map((cell) => ({ ...cell, categories: cell.categories.toReversed() })),
          marginsOf(one).toReversed(),
        )
        for (const [at, from] of order.entries()) expect(turned.weights[at]).toBeCloseTo(straight.weights[from] ?? 0, 5)
        expect(turned.effectivePeople).toBeCloseTo(straight.effectivePeople, 3)
      }),
    )
  })

  test('leaves people as they are if they are like the population', () => {
    const cells: WeightingCell[] = [
      { categories: ['young'], people: 30 },
      { categories: ['old'], people: 70 },
    ]
    const { weights, effectivePeople, cappedPeople, largestGap } = requireWeights(cells, [marginOf('age', AGES, [3000, 7000])])
    expect(weights).toEqual([1, 1])
    expect([effectivePeople, cappedPeople, largestGap]).toEqual([100, 0, 0])
  })

  // By hand: weights 2 and 0.5 for 25 and 50 people; (2 × 25 + 0.5 × 50)² ÷ (4 × 25 + 0.25 × 50) = 5625 ÷ 112.5 = 50.
  test('computes the effective sample size as Kish does', () => {
    const cells: WeightingCell[] = [
      { categories: ['young'], people: 25 },
      { categories: ['old'], people: 50 },
    ]
    const { weights, effectivePeople } = requireWeights(cells, [marginOf('age', AGES, [2, 1])])
    expect(weights.map((weight) => Math.round(weight * 1e6) / 1e6)).toEqual([2, 0.5])
    expect(effectivePeople).toBeCloseTo(50, 6)
  })

  test('says how far it stays from the population where a cap binds', () => {
    const cells: WeightingCell[] = [
      { categories: ['young'], people: 5 },
      { categories: ['old'], people: 95 },
    ]
    const { weights, cappedPeople, largestGap } = requireWeights(cells, [marginOf('age', AGES, [1, 1])])
    expect(weights[0]).toBeCloseTo(3, 6)
    expect(meanOf(cells, weights)).toBeCloseTo(1, 6)
    expect(cappedPeople).toBe(5)
    expect(largestGap).toBeCloseTo(0.35, 6)
  })

  test('refuses a category that nobody took part from, or that nobody lives in', () => {
    const cells: WeightingCell[] = [{ categories: ['young'], people: 10 }]
    const refused = { margin: 'age', category: 'old' }
    expect(rakeWeights(cells, [marginOf('age', AGES, [1, 1])])).toEqual({ ok: false, reason: 'no-people', ...refused })
    expect(rakeWeights([...cells, { categories: ['old'], people: 4 }], [marginOf('age', ['young'], [1])])).toEqual({
      ok: false,
      reason: 'no-population',
      ...refused,
    })
  })

  test('refuses margins that contradict each other for the people there are', () => {
    const cells: WeightingCell[] = [
      { categories: ['young', 'rent'], people: 10 },
      { categories: ['old', 'own'], people: 10 },
    ]
    const margins = [marginOf('age', AGES, [1, 3]), marginOf('home', ['rent', 'own'], [3, 1])]
    expect(rakeWeights(cells, margins)).toEqual({ ok: false, reason: 'no-convergence' })
    expect(rakeWeights([], [])).toEqual({ ok: false, reason: 'no-convergence' })
  })

  test('lets people who said nothing keep their share', () => {
    const { shares } = buildMargin(
      'age',
      new Map([
        ['young', 20],
        ['old', 60],
        ['', 20],
      ]),
      new Map([
        ['young', 500],
        ['old', 500],
      ]),
    )
    expect(Object.fromEntries(shares)).toEqual({ young: 0.4, old: 0.4, '': 0.2 })
  })
})
