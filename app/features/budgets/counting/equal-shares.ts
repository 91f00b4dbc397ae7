import { type Arithmetic, DOUBLES, FRACTIONS } from './arithmetic.ts'
import { countSatisfied, countVotes, type Election, type Outcome, type Reason, type Step } from './election.ts'
import { compareTied, nameTieBreak } from './ties.ts'

/** Fewer ballots are counted with fractions too. */
export const EXACT_BELOW = 1000

/**
 * The Method of Equal Shares. The pot is shared equally among the voters. In each round the option with the greatest effective vote count is
 * funded, and its supporters pay equally, as far as they can; where they gave points, in proportion to these. That is the method for additive
 * utilities (Peters, Pierczyński and Skowron 2021), an option being worth its cost to a supporter, times the points. Then every voter's share is raised by one whole unit
 * of the currency at a time, and all is computed again: the result is that of the last step whose options cost no more than the pot.
 * @returns after each raise how far the count is, from 0 to 1, and then the outcome
 * @throws {Error} if doubles and fractions disagree
 */
export function* countEqualSharesByStep(election: Election, { skips = true } = {}): Generator<number, Outcome> {
  const outcome = yield* countWith(DOUBLES, election, skips)
  if (election.ballots.length >= EXACT_BELOW) return outcome
  const exact = yield* countWith(FRACTIONS, election, skips)
  if (exact.funded.join() !== outcome.funded.join() || exact.shares?.raised !== outcome.shares?.raised)
    throw new Error('The count with doubles differs from the count with fractions')
  return exact
}

/** Voters whose ballots say the same, as they support one option. They act as one: they always have the same left to spend. */
interface Support {
  group: number
  voters: number
  /** That each of them gave it; 1 where ballots have no points. */
  points: number
}

interface Prepared {
  /** How many. */
  groups: number
  /** For each option the groups that support it. */
  supporters: readonly (readonly Support[])[]
  /** By option: people, and the points that they gave. Without points, the same. */
  people: readonly number[]
  votes: readonly number[]
  /** Options that may be funded. */
  eligible: readonly number[]
  compare: (a: number, b: number) => number
}

interface Purchase<N> {
  option: number
  had: N
  /** The most that a supporter paid. */
  paid: N
  /** They all paid the same. */
  isEqual: boolean
  effectiveVotes: number
  tied: readonly number[]
}

interface Spending<N> {
  share: N
  purchases: readonly Purchase<N>[]
  /** What a voter of each group has left. */
  left: readonly N[]
  /** Options for which their supporters had `short` too little between them when it was their turn. */
  tooDear: readonly { short: N; supporters: number }[]
  /** Whether every supporter had at least their part of each option that its supporters could pay for. */
  isUncapped: boolean
  cost: number
}

function prepareCount(election: Election): Prepared {
  const { options, ballots, points, threshold = 0 } = election
  const lines = ballots.map((ballot, at) =>
    ballot.map((option, place) => ({ option, points: points?.[at]?.[place] ?? 1 })).toSorted((a, b) => a.option - b.option),
  )
  const alike = Map.groupBy(lines, (line) => line.map(({ option, points: own }) => `${option}:${own}`).join())
  const sorted = [...alike].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const supporters: Support[][] = options.map(() => [])
  for (const [group, [, [line = [], ...others]]] of sorted.entries())
    for (const { option, points: own } of line) supporters[option]?.push({ group, voters: 1 + others.length, points: own })
  const people = supporters.map((own) => own.reduce((sum, { voters }) => sum + voters, 0))
  const votes = countVotes(election)
  const eligible = options.map((_, at) => at).filter((at) => (votes[at] ?? 0) > 0 && (votes[at] ?? 0) >= threshold)
  return { groups: sorted.length, supporters, people, votes, eligible, compare: compareTied(election, votes) }
}

function* countWith<N>(arithmetic: Arithmetic<N>, election: Election, skips: boolean): Generator<number, Outcome> {
  const { pot, unit, ballots, options } = election
  const prepared = prepareCount(election)
  const voters = Math.max(ballots.length, 1)
  const first = arithmetic.of(pot, voters)
  let kept = spendShares(arithmetic, election, prepared, first)
  let raised = 0
  let nextCost: number | null = null
  const spendRaised = (by: number) => spendShares(arithmetic, election, prepared, arithmetic.add(first, arithmetic.of(by * unit)))
  while (canFundMore(options, prepared.eligible, kept.purchases)) {
    yield Math.min(1, kept.cost / pot)
    const step = skips ? countIdleRaises(arithmetic, kept, unit) + 1 : 1
    const next = spendRaised(raised + step)
    if (next.cost > pot) {
      nextCost = next.cost
      raised += step - 1
      if (step > 1) kept = spendRaised(raised)
      break
    }
    kept = next
    raised += step
  }
  return describeOutcome(arithmetic, election, prepared, { kept, first, raised, nextCost })
}

/**
 * How many more raises by one unit change nothing. Where every supporter had their part of each option, options are tried in the order of
 * their votes, whatever the share, and a voter who is given one unit more has one unit more at each of them: nothing changes until an option
 * that was too expensive at its turn can be paid for.
 */
function countIdleRaises<N>({ toNumber }: Arithmetic<N>, { tooDear, isUncapped }: Spending<N>, unit: number): number {
  if (!isUncapped) return 0
  const raises = tooDear.map(({ short, supporters }) => Math.floor(toNumber(short) / (supporters * unit)) - 1)
  return Math.max(0, Math.min(...raises))
}

/** Whether any option is neither funded nor kept out by another one of its group. */
function canFundMore(options: Election['options'], eligible: readonly number[], purchases: readonly { option: number }[]): boolean {
  const funded = new Set(purchases.map(({ option }) => option))
  const groups = new Set([...funded].flatMap((at) => options[at]?.group ?? []))
  return eligible.some((at) => !funded.has(at) && !groups.has(options[at]?.group ?? ''))
}

interface Candidate<N> {
  at: number
  /** What a supporter pays per unit of its cost. */
  price: N
}

/** What supporters of an option pay: `perPoint` for each point that they gave, or all they have if that is less. */
interface Payment<N> {
  perPoint: N
  had: N
  isUncapped: boolean
}

type Offer<N> = Candidate<N> & Payment<N>

function spendShares<N>(arithmetic: Arithmetic<N>, { options }: Election, prepared: Prepared, share: N): Spending<N> {
  const { groups, supporters, people, votes, compare } = prepared
  const left = Array.from({ length: groups }, () => share)
  const purchases: Purchase<N>[] = []
  const tooDear: { short: N; supporters: number }[] = []
  let isUncapped = true
  let remaining: Candidate<N>[] = prepared.eligible.map((at) => ({ at, price: arithmetic.of(1, votes[at]) }))
  let cost = 0
  for (;;) {
    const { best, unpayable, areUncapped } = findBest(arithmetic, options, prepared, { remaining, left })
    isUncapped &&= areUncapped
    for (const [option, short] of unpayable) tooDear.push({ short, supporters: people[option] ?? 0 })
    const [chosen, ...tied] = best.toSorted((a, b) => compare(a.at, b.at))
    if (!chosen) return { share, purchases, left, cost, tooDear, isUncapped }
    const { at, had, price } = chosen
    const { paid, isEqual } = takePayments(arithmetic, supporters[at] ?? [], left, chosen)
    cost += options[at]?.cost ?? 0
    const effectiveVotes = 1 / arithmetic.toNumber(price)
    purchases.push({ option: at, paid, had, isEqual, effectiveVotes, tied: tied.map((other) => other.at) })
    const { group } = options[at] ?? {}
    const isOut = (other: number) => other === at || unpayable.has(other) || (group !== undefined && options[other]?.group === group)
    remaining = remaining.filter((candidate) => !isOut(candidate.at))
  }
}

/** Takes from what supporters have left. @returns the most that one of them paid, and whether they all paid the same */
function takePayments<N>(
  { of, multiply, subtract, compare }: Arithmetic<N>,
  supporters: readonly Support[],
  left: N[],
  { perPoint, isUncapped }: Payment<N>,
): { paid: N; isEqual: boolean } {
  let paid = of(0)
  for (const { group, points } of supporters) {
    const own = left[group] ?? of(0)
    const due = multiply(perPoint, points)
    const isAll = compare(own, due) <= 0
    const part = isAll ? own : due
    left[group] = isAll ? of(0) : subtract(own, due)
    if (compare(part, paid) > 0) paid = part
  }
  return { paid, isEqual: isUncapped && supporters.every(({ points }) => points === supporters[0]?.points) }
}

/**
 * The options with the lowest price, which is the greatest effective vote count. Prices only grow while voters spend: once a price of before is
 * above the best one, those after it need not be computed.
 */
function findBest<N>(
  arithmetic: Arithmetic<N>,
  options: Election['options'],
  { supporters }: Prepared,
  { remaining, left }: { remaining: Candidate<N>[]; left: readonly N[] },
): { best: Offer<N>[]; unpayable: Map<number, N>; areUncapped: boolean } {
  const unpayable = new Map<number, N>()
  let areUncapped = true
  let best: Offer<N>[] = []
  remaining.sort((a, b) => arithmetic.compare(a.price, b.price))
  for (const candidate of remaining) {
    const [lowest] = best
    if (lowest && arithmetic.compare(candidate.price, lowest.price) > 0) break
    const { at } = candidate
    const { cost } = options[at] ?? { cost: 0 }
    const payment = findPayment(arithmetic, { cost, supporters: supporters[at] ?? [], left })
    if ('short' in payment) {
      unpayable.set(at, payment.short)
      continue
    }
    areUncapped &&= payment.isUncapped
    candidate.price = arithmetic.divide(payment.perPoint, cost)
    const order = lowest ? arithmetic.compare(candidate.price, lowest.price) : -1
    if (order < 0) best = []
    if (order <= 0) best.push({ ...candidate, ...payment })
  }
  return { best, unpayable, areUncapped }
}

/** What supporters pay for an option: equally for each of their points, as far as they can. Or by how much they have too little between them. */
function findPayment<N>(
  arithmetic: Arithmetic<N>,
  { cost, supporters, left }: { cost: number; supporters: readonly Support[]; left: readonly N[] },
): Payment<N> | { short: N } {
  const { of, add, subtract, multiply, divide, compare } = arithmetic
  let had = of(0)
  let all = 0
  for (const { group, voters, points } of supporters) {
    had = add(had, multiply(left[group] ?? of(0), voters))
    all += voters * points
  }
  const price = of(cost)
  if (compare(had, price) < 0) return { short: subtract(price, had) }
  let perPoint = divide(price, all)
  let able = all
  // Supporters with less than their part pay all they have, and the rest is divided again among the others.
  for (;;) {
    let rest = price
    let count = 0
    for (const { group, voters, points } of supporters) {
      const own = left[group] ?? of(0)
      if (compare(own, multiply(perPoint, points)) < 0) rest = subtract(rest, multiply(own, voters))
      else count += voters * points
    }
    if (count === able || count === 0) return { perPoint, had, isUncapped: able === all }
    able = count
    perPoint = divide(rest, count)
  }
}

function describeOutcome<N>(
  { toNumber, of, multiply, add, subtract, compare }: Arithmetic<N>,
  election: Election,
  { supporters, people, votes }: Prepared,
  { kept, first, raised, nextCost }: { kept: Spending<N>; first: N; raised: number; nextCost: number | null },
): Outcome {
  const { options, pot, threshold = 0 } = election
  const floor = (amount: N) => Math.floor(toNumber(amount) + 1e-6)
  const funded = new Set(kept.purchases.map(({ option }) => option))
  const byGroup = new Map(
    [...funded].flatMap((at) => (options[at]?.group === undefined ? [] : [[options[at].group, options[at].id] as const])),
  )
  const reasons = options.map(({ cost, group }, at): Reason => {
    const own = votes[at] ?? 0
    const count = people[at] ?? 0
    const purchase = kept.purchases.find(({ option }) => option === at)
    if (purchase)
      return { kind: 'paid', supporters: count, had: floor(purchase.had), paid: floor(purchase.paid), isEqual: purchase.isEqual }
    if (own === 0) return { kind: 'no-votes' }
    if (own < threshold) return { kind: 'below-threshold', threshold }
    const rival = group === undefined ? undefined : byGroup.get(group)
    if (rival !== undefined) return { kind: 'group', other: rival }
    let had = of(0)
    for (const { group: each, voters } of supporters[at] ?? []) had = add(had, multiply(kept.left[each] ?? of(0), voters))
    const short = subtract(of(cost), had)
    const estimate = Math.ceil(toNumber(short) / toNumber(kept.share) - 1e-6)
    const moreSupporters = compare(multiply(kept.share, Math.max(estimate, 0)), short) < 0 ? estimate + 1 : estimate
    return { kind: 'short', supporters: count, had: floor(had), short: cost - floor(had), moreSupporters }
  })
  let left = pot
  const steps = kept.purchases.map(({ option, effectiveVotes, tied }): Step => {
    left -= options[option]?.cost ?? 0
    const [second] = tied
    return {
      option: options[option]?.id ?? '',
      isFunded: true,
      score: effectiveVotes,
      left,
      ...(second !== undefined && {
        tie: { options: tied.map((at) => options[at]?.id ?? ''), by: nameTieBreak(election, votes, option, second) },
      }),
    }
  })
  return {
    rule: 'equal-shares',
    funded: kept.purchases.map(({ option }) => options[option]?.id ?? ''),
    cost: kept.cost,
    votes,
    reasons,
    steps,
    satisfied: countSatisfied(election.ballots, funded),
    shares: { first: floor(first), last: floor(kept.share), raised, nextCost },
  }
}
