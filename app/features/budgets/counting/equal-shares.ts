import { type Arithmetic, DOUBLES, FRACTIONS } from './arithmetic.ts'
import { countSatisfied, countVotes, type Election, type Outcome, type Reason, type Step } from './election.ts'
import { compareTied, nameTieBreak } from './ties.ts'

/** Fewer ballots are counted with fractions too. */
export const EXACT_BELOW = 1000

/**
 * The Method of Equal Shares, for approval ballots. The pot is shared equally among the voters. In each round the option with the greatest
 * effective vote count is funded, and its supporters pay equally, as far as they can. Then every voter's share is raised by one whole unit
 * of the currency at a time, and all is computed again: the result is that of the last step whose options cost no more than the pot.
 * @throws {Error} if doubles and fractions disagree
 */
export function countEqualShares(election: Election, { skips = true } = {}): Outcome {
  const outcome = countWith(DOUBLES, election, skips)
  if (election.ballots.length >= EXACT_BELOW) return outcome
  const exact = countWith(FRACTIONS, election, skips)
  if (exact.funded.join() !== outcome.funded.join() || exact.shares?.raised !== outcome.shares?.raised)
    throw new Error('The count with doubles differs from the count with fractions')
  return exact
}

/** Ballots with the same options act as one: they always have the same left to spend. */
interface VoterGroup {
  options: readonly number[]
  voters: number
}

interface Prepared {
  groups: readonly VoterGroup[]
  /** For each option the groups that support it. */
  supporters: readonly (readonly number[])[]
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
  /** Whether supporters could pay equally for every option that they could pay for. */
  isEqual: boolean
  cost: number
}

function prepareCount(election: Election): Prepared {
  const { options, ballots, threshold = 0 } = election
  const byOptions = Map.groupBy(ballots, (ballot) => ballot.toSorted((a, b) => a - b).join())
  const groups = [...byOptions]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, [options = [], ...others]]) => ({ options, voters: 1 + others.length }))
  const supporters: number[][] = options.map(() => [])
  for (const [group, { options: own }] of groups.entries()) for (const option of own) supporters[option]?.push(group)
  const votes = countVotes(election)
  const eligible = options.map((_, at) => at).filter((at) => (votes[at] ?? 0) > 0 && (votes[at] ?? 0) >= threshold)
  return { groups, supporters, votes, eligible, compare: compareTied(election, votes) }
}

function countWith<N>(arithmetic: Arithmetic<N>, election: Election, skips: boolean): Outcome {
  const { pot, unit, ballots, options } = election
  const prepared = prepareCount(election)
  const voters = Math.max(ballots.length, 1)
  const first = arithmetic.of(pot, voters)
  let kept = spendShares(arithmetic, election, prepared, first)
  let raised = 0
  let nextCost: number | null = null
  const spendRaised = (by: number) => spendShares(arithmetic, election, prepared, arithmetic.add(first, arithmetic.of(by * unit)))
  while (canFundMore(options, prepared.eligible, kept.purchases)) {
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
 * How many more raises by one unit change nothing. Where supporters could pay equally for every option that they could pay for, options are tried in
 * the order of their votes, whatever the share, and a voter who is given one unit more has one unit more at each of them: nothing changes
 * until an option that was too expensive at its turn can be paid for.
 */
function countIdleRaises<N>({ toNumber }: Arithmetic<N>, { tooDear, isEqual }: Spending<N>, unit: number): number {
  if (!isEqual) return 0
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

type Offer<N> = Candidate<N> & { paid: N; had: N; isEqual: boolean }

function spendShares<N>(arithmetic: Arithmetic<N>, { options }: Election, prepared: Prepared, share: N): Spending<N> {
  const { groups, supporters, votes, compare } = prepared
  const left = groups.map(() => share)
  const purchases: Purchase<N>[] = []
  const tooDear: { short: N; supporters: number }[] = []
  let areAllEqual = true
  let remaining: Candidate<N>[] = prepared.eligible.map((at) => ({ at, price: arithmetic.of(1, votes[at]) }))
  let cost = 0
  for (;;) {
    const { best, unpayable, areEqual } = findBest(arithmetic, options, prepared, { remaining, left })
    areAllEqual &&= areEqual
    for (const [option, short] of unpayable) tooDear.push({ short, supporters: votes[option] ?? 0 })
    const [chosen, ...tied] = best.toSorted((a, b) => compare(a.at, b.at))
    if (!chosen) return { share, purchases, left, cost, tooDear, isEqual: areAllEqual }
    const { at, paid, had, isEqual, price } = chosen
    for (const group of supporters[at] ?? []) {
      const own = left[group]
      if (own !== undefined) left[group] = arithmetic.compare(own, paid) <= 0 ? arithmetic.of(0) : arithmetic.subtract(own, paid)
    }
    cost += options[at]?.cost ?? 0
    const effectiveVotes = 1 / arithmetic.toNumber(price)
    purchases.push({ option: at, paid, had, isEqual, effectiveVotes, tied: tied.map((other) => other.at) })
    const { group } = options[at] ?? {}
    const isOut = (other: number) => other === at || unpayable.has(other) || (group !== undefined && options[other]?.group === group)
    remaining = remaining.filter((candidate) => !isOut(candidate.at))
  }
}

/**
 * The options with the lowest price, which is the greatest effective vote count. Prices only grow while voters spend: once a price of before is
 * above the best one, those after it need not be computed.
 */
function findBest<N>(
  arithmetic: Arithmetic<N>,
  options: Election['options'],
  { groups, supporters }: Prepared,
  { remaining, left }: { remaining: Candidate<N>[]; left: readonly N[] },
): { best: Offer<N>[]; unpayable: Map<number, N>; areEqual: boolean } {
  const unpayable = new Map<number, N>()
  let areEqual = true
  let best: Offer<N>[] = []
  remaining.sort((a, b) => arithmetic.compare(a.price, b.price))
  for (const candidate of remaining) {
    const [lowest] = best
    if (lowest && arithmetic.compare(candidate.price, lowest.price) > 0) break
    const { at } = candidate
    const { cost } = options[at] ?? { cost: 0 }
    const payment = findPayment(arithmetic, { cost, supporters: supporters[at] ?? [], groups, left })
    if ('short' in payment) {
      unpayable.set(at, payment.short)
      continue
    }
    areEqual &&= payment.isEqual
    candidate.price = arithmetic.divide(payment.paid, cost)
    const order = lowest ? arithmetic.compare(candidate.price, lowest.price) : -1
    if (order < 0) best = []
    if (order <= 0) best.push({ ...candidate, ...payment })
  }
  return { best, unpayable, areEqual }
}

/** What supporters pay for an option: equally, as far as they can. Or by how much they have too little between them. */
function findPayment<N>(
  arithmetic: Arithmetic<N>,
  { cost, supporters, groups, left }: { cost: number; supporters: readonly number[]; groups: readonly VoterGroup[]; left: readonly N[] },
): { paid: N; had: N; isEqual: boolean } | { short: N } {
  const { of, add, subtract, multiply, divide, compare } = arithmetic
  let had = of(0)
  let all = 0
  for (const group of supporters) {
    const { voters } = groups[group] ?? { voters: 0 }
    had = add(had, multiply(left[group] ?? of(0), voters))
    all += voters
  }
  const price = of(cost)
  if (compare(had, price) < 0) return { short: subtract(price, had) }
  let paid = divide(price, all)
  let able = all
  // Supporters with less than an equal part pay all they have, and the rest is divided again among the others.
  for (;;) {
    let rest = price
    let count = 0
    for (const group of supporters) {
      const own = left[group] ?? of(0)
      const { voters } = groups[group] ?? { voters: 0 }
      if (compare(own, paid) < 0) rest = subtract(rest, multiply(own, voters))
      else count += voters
    }
    if (count === able || count === 0) return { paid, had, isEqual: able === all }
    able = count
    paid = divide(rest, count)
  }
}

function describeOutcome<N>(
  { toNumber, of, multiply, add, subtract, compare }: Arithmetic<N>,
  election: Election,
  { supporters, groups, votes }: Prepared,
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
    const purchase = kept.purchases.find(({ option }) => option === at)
    if (purchase) return { kind: 'paid', supporters: own, had: floor(purchase.had), paid: floor(purchase.paid), isEqual: purchase.isEqual }
    if (own === 0) return { kind: 'no-votes' }
    if (own < threshold) return { kind: 'below-threshold', threshold }
    const rival = group === undefined ? undefined : byGroup.get(group)
    if (rival !== undefined) return { kind: 'group', other: rival }
    let had = of(0)
    for (const each of supporters[at] ?? []) had = add(had, multiply(kept.left[each] ?? of(0), groups[each]?.voters ?? 0))
    const short = subtract(of(cost), had)
    const estimate = Math.ceil(toNumber(short) / toNumber(kept.share) - 1e-6)
    const moreSupporters = compare(multiply(kept.share, Math.max(estimate, 0)), short) < 0 ? estimate + 1 : estimate
    return { kind: 'short', supporters: own, had: floor(had), short: cost - floor(had), moreSupporters }
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
