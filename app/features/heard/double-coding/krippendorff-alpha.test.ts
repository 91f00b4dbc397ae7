import { describe, expect, test } from 'vitest'
import { measureDisagreement, sumDisagreements, toAlpha } from './krippendorff-alpha.ts'

/** Rows are observers, a character each value, and a dot a missing one. */
function readMatrix(...observers: string[]): (string | null)[][] {
  const [first = ''] = observers
  return Array.from(first, (_, unit) => observers.map((row) => (row[unit] === '.' ? null : (row[unit] ?? null))))
}
const measure = (...observers: string[]) => measureDisagreement(readMatrix(...observers))
const alphaOf = (...observers: string[]) => toAlpha(measure(...observers))

describe('published examples', () => {
  test('Krippendorff 2011, A: two values, two observers', () => {
    expect(alphaOf('0100000010', '1110010000')).toBeCloseTo(0.095, 3)
  })

  test('Krippendorff 2011, B: nominal data, two observers', () => {
    expect(alphaOf('aabbdcccedda', 'babbbccceddd')).toBeCloseTo(0.692, 3)
  })

  test('Krippendorff 2011, C: nominal data, four observers, missing data', () => {
    expect(alphaOf('123321412...', '1233224125.3', '.3332342251.', '12332441251.')).toBeCloseTo(0.743, 3)
  })

  test('Wikipedia: nominal data, three observers, missing data', () => {
    expect(alphaOf('.....34121133.3', '1.213343.......', '..21344.21133.4')).toBeCloseTo(0.691, 3)
  })
})

describe('edges', () => {
  test('agreement is 1, and two who always differ are below chance', () => {
    expect(alphaOf('0011', '0011')).toBe(1)
    expect(alphaOf('0101', '1010')).toBeLessThan(0)
  })

  test('without variation or without pairs there is none', () => {
    expect(alphaOf('0000', '0000')).toBeNull()
    expect(alphaOf('01..', '..01')).toBeNull()
    expect(alphaOf('', '')).toBeNull()
  })

  test('a value without another one beside it changes nothing', () => {
    expect(alphaOf('01000000101', '1110010000.')).toBeCloseTo(0.095, 3)
  })

  test('several variables: what both differ in over what chance would', () => {
    // A of the paper differs in 4 of 10 units, by chance in 2·14·6 of 20·19 pairs; the second has no difference and one 1 each of 10.
    const both = sumDisagreements([measure('0100000010', '1110010000'), measure('1000000000', '1000000000')])
    expect(toAlpha(both)).toBeCloseTo(1 - 0.4 / ((2 * 14 * 6) / 380 + (2 * 18 * 2) / 380), 10)
    // A variable that nobody gave changes nothing.
    expect(sumDisagreements([both, measure('0000', '0000')])).toEqual(both)
  })
})
