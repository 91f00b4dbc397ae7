import { assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { findWilsonInterval } from './wilson-interval.ts'

// 81 of 263, 15 of 148, 0 of 20 and 1 of 29: R. G. Newcombe, “Two-sided confidence intervals for the single proportion”, Statistics in Medicine 17
// (1998), table I, method 3. The others were computed with scipy (`binomtest(k, n).proportion_ci(method='wilson')`).
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
  [10, 100, 0.0552, 0.1744],
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
])('%i of %i people is %f to %f', (part, people, from, until) => {
  const found = findWilsonInterval(part / people, people)
  expect([found.from, found.until]).toEqual([expect.closeTo(from, 4), expect.closeTo(until, 4)])
})

// What defines it: shares that a test at 5 per cent, with the variance of the share itself, does not reject.
test('at its ends the share lies 1.96 standard errors away', () => {
  assert(
    property(integer({ min: 1, max: 100_000 }), integer({ min: 0, max: 100_000 }), (people, some) => {
      const share = Math.min(some, people) / people
      for (const end of Object.values(findWilsonInterval(share, people)) as number[]) {
        // An end that was cut off at 0 or 1 does not solve the equation.
        if (Math.min(end, 1 - end) < 1e-9) continue
        expect(Math.abs(share - end) / Math.sqrt((end * (1 - end)) / people)).toBeCloseTo(1.959964, 4)
      }
    }),
  )
})
