import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRandom } from '#app/lib/random.ts'
import { COUNTING_RULES } from '#app/lib/vocabulary/budgets.ts'
import { countElection } from './count.ts'
import type { Election, Votes } from './election.ts'
import { countEqualSharesByStep } from './equal-shares.ts'
import { commitToSeed } from './commit-to-seed.server.ts'
import { digestBallots, drawLot, prepareElection } from './ties.ts'

const tie = <T extends Votes>(votes: T, lot = 'lot'): T & Election => ({
  ...votes,
  digest: '',
  lot,
  tieHashes: votes.options.map(({ id }) => createHash('sha256').update(`${lot}/${id}`).digest('hex')),
})
const build = (pot: number, costs: Record<string, number>, ballots: string[], { lot, ...more }: Partial<Election> = {}): Election => {
  const ids = Object.keys(costs)
  const votes = {
    pot,
    unit: 1,
    options: Object.entries(costs).map(([id, cost]) => ({ id, cost })),
    ballots: ballots.map((ballot) => ballot.split('').map((id) => ids.indexOf(id))),
    ...more,
  }
  return tie(votes, lot)
}
function finish<T>(steps: Generator<number, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
const reasonOf = (election: Election, rule: (typeof COUNTING_RULES)[number], id: string) =>
  countElection(election, rule).reasons[election.options.findIndex((option) => option.id === id)]

describe('greedy', () => {
  const election = build(100, { a: 60, b: 50, c: 40 }, ['a', 'a', 'ab', 'b', 'c'])
  test('funds by votes and skips what does not fit', () => {
    const { funded, cost, votes } = countElection(election, 'greedy')
    expect({ funded, cost, votes }).toEqual({ funded: ['a', 'c'], cost: 100, votes: [3, 2, 1] })
    expect(reasonOf(election, 'greedy', 'a')).toEqual({ kind: 'fits', place: 1, left: 40 })
    expect(reasonOf(election, 'greedy', 'b')).toEqual({ kind: 'does-not-fit', left: 40 })
  })
  test('without skipping stops at the first that does not fit', () => {
    expect(countElection(election, 'greedy-no-skip').funded).toEqual(['a'])
    expect(reasonOf(election, 'greedy-no-skip', 'c')).toEqual({ kind: 'stopped', at: 'b' })
  })
  test('funds nothing without votes, or with fewer than the threshold, and such an option does not stop the count', () => {
    const few = build(100, { a: 60, b: 10, c: 10 }, ['a', 'a', 'b'], { threshold: 2 })
    expect(countElection(few, 'greedy-no-skip').funded).toEqual(['a'])
    expect(reasonOf(few, 'greedy', 'b')).toEqual({ kind: 'below-threshold', threshold: 2 })
    expect(reasonOf(few, 'greedy', 'c')).toEqual({ kind: 'no-votes' })
  })
})

describe('equal shares', () => {
  test('follows the greatest effective vote count, supporters paying equally as far as they can', () => {
    // Shares of 25. `a` costs 20 each for its three supporters; they have 5 left, the fourth has 25 for `b`.
    const election = build(100, { a: 60, b: 30, c: 40 }, ['ab', 'a', 'ac', 'b'])
    const outcome = countElection(election, 'equal-shares')
    expect(outcome.funded).toEqual(['a', 'b'])
    expect(outcome.steps.map(({ option }) => option)).toEqual(['a', 'b'])
    expect(reasonOf(election, 'equal-shares', 'a')).toMatchObject({ kind: 'paid', supporters: 3, paid: 20, isEqual: true })
    expect(outcome.cost).toBe(90)
  })
  test('raises shares by one whole unit at a time and keeps the last step that fits', () => {
    // 4 voters with 2.50 of 10 each: no voter can pay alone for an option that costs 4. With shares of 4.50 all four could, but 16 is more than 10.
    const election = build(10, { a: 4, b: 4, c: 4, d: 4 }, ['a', 'b', 'c', 'd'])
    const outcome = countElection(election, 'equal-shares')
    expect(outcome.funded).toEqual([])
    expect(outcome.shares).toEqual({ first: 2, last: 3, raised: 1, nextCost: 16 })
    expect(reasonOf(election, 'equal-shares', 'a')).toEqual({ kind: 'short', supporters: 1, had: 3, short: 1, moreSupporters: 1 })
  })
  test('ends when everything is funded', () => {
    const election = build(100, { a: 90, b: 10 }, [...Array<string>(9).fill('a'), 'b', 'b', 'b'])
    const { funded, shares } = countElection(election, 'equal-shares')
    expect(funded).toEqual(['a', 'b'])
    expect(shares).toEqual({ first: 8, last: 10, raised: 2, nextCost: null })
  })
  test('funds one option of an exclusive group', () => {
    const election: Election = {
      ...build(100, { a: 30, b: 30, c: 20 }, ['abc', 'ab', 'a']),
      options: [
        { id: 'a', cost: 30, group: 'park' },
        { id: 'b', cost: 30, group: 'park' },
        { id: 'c', cost: 20 },
      ],
    }
    for (const rule of COUNTING_RULES) {
      expect(countElection(election, rule).funded.toSorted()).toEqual(['a', 'c'])
      expect(reasonOf(election, rule, 'b')).toEqual({ kind: 'group', other: 'a' })
    }
  })
})

const elections = fc
  .record({
    pot: fc.integer({ min: 1, max: 200 }),
    costs: fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 6 }),
    ballots: fc.array(fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 6 }), { minLength: 1, maxLength: 12 }),
    grouped: fc.boolean(),
    threshold: fc.nat({ max: 3 }),
  })
  .map(({ pot, costs, ballots, grouped, threshold }): Election =>
    tie({
      pot,
      unit: 1,
      options: costs.map((cost, at) => ({ id: `o${at}`, cost: Math.min(cost, pot), ...(grouped && at < 2 && { group: 'g' }) })),
      ballots: ballots.map((ballot) => ballot.filter((at) => at < costs.length)),
      threshold,
    }),
  )

describe('points', () => {
  const election = build(100, { a: 60, b: 40, c: 50 }, ['ab', 'ac', 'bc'], {
    points: [
      [7, 3],
      [2, 8],
      [5, 5],
    ],
  })
  test('are what greedy counts', () => {
    const { funded, votes } = countElection(election, 'greedy')
    expect({ funded, votes }).toEqual({ funded: ['c', 'b'], votes: [9, 8, 13] })
  })
  test('are what supporters pay by under equal shares, as far as they can', () => {
    // 13 points pay 50 for `c`: 8 of them 30.77, 5 of them 19.23. Then 8 points pay 40 for `b`: 3 of them 15, 5 of them 25. Shares of 33.33 are
    // raised 12 times: the third has 26.10 left then, and the two who want `a` have 59.90 between them. With one unit more it would be funded too.
    const outcome = countElection(election, 'equal-shares')
    expect(outcome.funded).toEqual(['c', 'b'])
    expect(outcome.steps[0]?.score).toBeCloseTo(13, 5)
    expect(outcome.shares).toMatchObject({ raised: 12, nextCost: 110 })
    expect(reasonOf(election, 'equal-shares', 'c')).toMatchObject({ kind: 'paid', supporters: 2, paid: 30, isEqual: false })
    expect(reasonOf(election, 'equal-shares', 'b')).toMatchObject({ kind: 'paid', supporters: 2, paid: 25, isEqual: false })
  })
  test('as many for every option give what ballots without points give', () => {
    fc.assert(
      fc.property(elections, fc.integer({ min: 1, max: 9 }), (plain, each) => {
        const { threshold = 0 } = plain
        const pointed = { ...plain, threshold: threshold * each, points: plain.ballots.map((ballot) => ballot.map(() => each)) }
        for (const rule of COUNTING_RULES) {
          const [one, other] = [countElection(plain, rule), countElection(pointed, rule)]
          expect(other.funded).toEqual(one.funded)
          expect(other.shares).toEqual(one.shares)
        }
      }),
      { numRuns: 300 },
    )
  })
  test('never exceed the budget, doubles agree with fractions, and the first step is that of the published method', () => {
    const weights = fc.array(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 6, maxLength: 6 }), { minLength: 12, maxLength: 12 })
    fc.assert(
      fc.property(elections, weights, (plain, given) => {
        const points = plain.ballots.map((ballot, at) => ballot.map((_, place) => given[at]?.[place] ?? 1))
        const pointed = { ...plain, threshold: 0, points }
        for (const rule of COUNTING_RULES) expect(countElection(pointed, rule).cost).toBeLessThanOrEqual(pointed.pot)
        // Raised by a unit that is too much at once: what is left is the computation with the first shares.
        const first = countElection({ ...pointed, unit: 1000 }, 'equal-shares')
        if (first.shares?.raised === 0) expect(first.steps[0]?.option).toBe(findFirstByDefinition(pointed))
      }),
      { numRuns: 300 },
    )
  })
})

/**
 * The option that the Method of Equal Shares funds first, from its definition: the lowest price ρ for one unit of utility, at which voters who pay
 * ρ times their utility, or all they have, pay for the option. The price is found by halving.
 */
function findFirstByDefinition({ options, ballots, points = [], pot, tieHashes }: Election): string | undefined {
  const share = pot / ballots.length
  const offers = options.flatMap(({ id, cost }, at) => {
    const utilities = ballots.flatMap((ballot, voter) => (ballot.includes(at) ? [(points[voter]?.[ballot.indexOf(at)] ?? 0) * cost] : []))
    if (utilities.length * share < cost - 1e-9) return []
    let [low, high] = [0, share / Math.min(...utilities)]
    for (let halving = 0; halving < 100; halving++) {
      const price = (low + high) / 2
      const paid = utilities.reduce((sum, utility) => sum + Math.min(share, price * utility), 0)
      if (paid < cost) low = price
      else high = price
    }
    return [{ id, price: high, votes: utilities.reduce((sum, utility) => sum + utility / cost, 0), cost, hash: tieHashes[at] ?? '' }]
  })
  const lowest = Math.min(...offers.map(({ price }) => price))
  return offers
    .filter(({ price }) => price <= lowest * (1 + 1e-7))
    .toSorted((a, b) => b.votes - a.votes || a.cost - b.cost || (a.hash < b.hash ? -1 : 1))[0]?.id
}

describe('ties', () => {
  test('are decided by lower cost, then by a lot that the seed and the ballots draw', async () => {
    const cheaper = build(10, { a: 10, b: 9 }, ['a', 'b'])
    expect(countElection(cheaper, 'greedy').steps[0]).toMatchObject({ option: 'b', tie: { options: ['a'], by: 'cost' } })
    const same = (lot: string) => countElection(build(10, { a: 10, b: 10 }, ['a', 'b'], { lot }), 'greedy')
    const lots = await Promise.all(Array.from({ length: 20 }, (_, at) => drawLot(String(at), 'digest')))
    const winners = new Set(lots.map((lot) => same(lot).funded[0]))
    expect(winners).toEqual(new Set(['a', 'b']))
    expect(same('x').steps[0]?.tie?.by).toBe('lot')
  })
  test('the seed is committed to before ballots are known', async () => {
    expect(commitToSeed('seed')).toMatch(/^[\da-f]{64}$/)
    const election = build(10, { a: 1, b: 1 }, ['ab', 'b'])
    expect(await digestBallots(election)).toBe(await digestBallots({ ...election, ballots: election.ballots.toReversed() }))
    const { digest, lot, tieHashes } = await prepareElection(election, { seed: 'seed' })
    expect(lot).toBe(commitToSeed(`seed${digest}`))
    expect(tieHashes).toEqual([commitToSeed(`${lot}/a`), commitToSeed(`${lot}/b`)])
  })
})

test('few ballots on a large pot are counted at once, although shares are raised by one unit many times', () => {
  const election = build(40_000_000, { a: 30_000_000, b: 29_000_000, c: 5_000_000 }, ['a', 'b', 'c'], { unit: 100 })
  const before = performance.now()
  const { funded, shares } = countElection(election, 'equal-shares')
  // Shares of 133,333.33 pay for the third; with 290,000 for everybody the second fits too, and the first would be too much.
  expect({ funded, raised: shares?.raised }).toEqual({ funded: ['c', 'b'], raised: 166_666 })
  expect(performance.now() - before).toBeLessThan(500)
})

describe('for any election', () => {
  test('raises that change nothing are skipped, and the result is that of raising one by one', () => {
    fc.assert(
      fc.property(elections, (election) => {
        expect(finish(countEqualSharesByStep(election))).toEqual(finish(countEqualSharesByStep(election, { skips: false })))
      }),
      { numRuns: 1000 },
    )
  })

  test('the budget is never exceeded, and doubles agree with fractions', () => {
    fc.assert(
      fc.property(elections, (election) => {
        for (const rule of COUNTING_RULES) {
          const { cost, funded } = countElection(election, rule)
          expect(cost).toBeLessThanOrEqual(election.pot)
          expect(funded.reduce((sum, id) => sum + (election.options.find((option) => option.id === id)?.cost ?? 0), 0)).toBe(cost)
        }
      }),
      { numRuns: 400 },
    )
  })
  test('the order of ballots does not matter', () => {
    fc.assert(
      fc.property(elections, fc.nat(), (election, seed) => {
        const random = createRandom(String(seed))
        const shuffled = election.ballots.map((ballot) => ({ ballot, at: random.next() })).toSorted((a, b) => a.at - b.at)
        for (const rule of COUNTING_RULES)
          expect(countElection({ ...election, ballots: shuffled.map(({ ballot }) => ballot) }, rule)).toEqual(countElection(election, rule))
      }),
      { numRuns: 150 },
    )
  })
  test('another supporter never hurts an option under the same price', () => {
    // A unit so large that shares are raised only if everything fits: all else is the first computation, in which shares are the same.
    const isHurt = (election: Election, option: number, voter: number, rule: (typeof COUNTING_RULES)[number]) => {
      const ballot = election.ballots[voter]
      const id = election.options[option]?.id
      if (!ballot || id === undefined || ballot.includes(option)) return false
      const before = { ...election, unit: 1000 }
      const after = { ...before, ballots: election.ballots.with(voter, [...ballot, option]) }
      return countElection(before, rule).funded.includes(id) && !countElection(after, rule).funded.includes(id)
    }
    const property = fc.property(
      elections,
      fc.nat({ max: 5 }),
      fc.nat({ max: 11 }),
      (election, option, voter) => !COUNTING_RULES.some((rule) => isHurt(election, option, voter, rule)),
    )
    expect(fc.check(property, { numRuns: 600 }).counterexample).toBeNull()
  })
})

test('6,600 ballots on 64 options are counted by equal shares within 5 seconds', () => {
  const random = createRandom('large')
  const options = Array.from({ length: 64 }, (_, at) => ({ id: `o${at}`, cost: 100_000 + Math.floor(random.next() * 9_000_000) }))
  const ballots = Array.from({ length: 6600 }, () => [
    ...new Set(Array.from({ length: 1 + Math.floor(random.next() * 8) }, () => Math.floor(random.next() ** 2 * 64))),
  ])
  const before = performance.now()
  const { cost } = countElection(tie({ pot: 100_000_000, unit: 100, options, ballots }), 'equal-shares')
  expect(cost).toBeGreaterThan(50_000_000)
  expect(performance.now() - before).toBeLessThan(5000)
})
