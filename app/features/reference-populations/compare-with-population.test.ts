import { describe, expect, test } from 'vitest'
import { compareWithPopulation } from './compare-with-population.ts'

const population = new Map([
  ['young', 250],
  ['middle', 500],
  ['old', 250],
])

describe('who took part against who lives here', () => {
  test('has share, population share and ratio of each option, and the sum of the smaller shares', () => {
    const { options, compared, index } = compareWithPopulation(
      [
        { option: 'young', people: 10 },
        { option: 'middle', people: 50 },
        { option: 'old', people: 40 },
      ],
      population,
    )
    expect(options.map(({ share, populationShare, ratio }) => [share, populationShare, ratio])).toEqual([
      [0.1, 0.25, 0.4],
      [0.5, 0.5, 1],
      [0.4, 0.25, 1.6],
    ])
    expect(compared).toBe(100)
    expect(index).toBeCloseTo(0.1 + 0.5 + 0.25, 12)
  })

  test('shows an option that nobody gave, and one that the census does not have without a share', () => {
    const { options, compared } = compareWithPopulation(
      [
        { option: 'young', people: 0 },
        { option: 'middle', people: 40 },
        { option: 'old', people: 60 },
        { option: 'another', people: 15 },
      ],
      population,
    )
    expect(options[0]).toMatchObject({ people: 0, share: 0, ratio: 0 })
    expect(options[3]).toMatchObject({ people: 15, share: null, population: null, ratio: null })
    expect(compared).toBe(100)
  })

  test('shows no share, and no index, from which a hidden number could be computed', () => {
    const { options, compared, index } = compareWithPopulation(
      [
        { option: 'young', people: null },
        { option: 'middle', people: 40 },
        { option: 'old', people: null },
      ],
      population,
    )
    expect(options.map(({ share, ratio }) => [share, ratio])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ])
    expect(options.map(({ populationShare }) => populationShare)).toEqual([0.25, 0.5, 0.25])
    expect([compared, index]).toEqual([null, null])
  })

  test('keeps the shares of visible numbers where it is known how many took part', () => {
    const { options, compared, index } = compareWithPopulation(
      [
        { option: 'young', people: null },
        { option: 'middle', people: 40 },
        { option: 'old', people: null },
        { option: '', people: 50 },
      ],
      population,
      100,
    )
    expect(options.map(({ share }) => share)).toEqual([null, 0.8, null, null])
    expect([compared, index]).toEqual([50, null])
  })

  test('has no index if somebody lives here who could not say so', () => {
    expect(compareWithPopulation([{ option: 'young', people: 20 }], population).index).toBeNull()
  })
})
