import type { CountingRule } from '#app/lib/vocabulary/budgets.ts'

/** An option as the count sees it. */
export interface CountedOption {
  id: string
  /** In minor units of the currency, such as cents. */
  cost: number
  /** At most one option of a group is funded. */
  group?: string | undefined
}

/** What voters and organisers decide. Amounts are integers, in minor units of the currency. */
export interface Votes {
  pot: number
  /** Minor units in one whole unit of the currency: 100 for dollars. */
  unit: number
  options: readonly CountedOption[]
  /** For each ballot the options on it, as positions in `options`, each once. */
  ballots: readonly (readonly number[])[]
  /** For each ballot the points that it gives to each of its options, positive integers; none where a ballot only names options. */
  points?: readonly (readonly number[])[] | undefined
  /** Options with fewer votes, or points, are not funded. */
  threshold?: number | undefined
}

/** All that a result depends on. */
export interface Election extends Votes {
  /** SHA-256 of the ballots. */
  digest: string
  /** Decides ties that votes and costs leave open: see `drawLot`. */
  lot: string
  /** For each option SHA-256 of the lot and its id. */
  tieHashes: readonly string[]
}

/** Why an option was funded or not. Amounts in minor units, rounded down. */
export type Reason =
  /** Greedy: its place by votes, and what was left afterwards. */
  | { kind: 'fits'; place: number; left: number }
  /** Greedy: it costs more than what was left at its turn. */
  | { kind: 'does-not-fit'; left: number }
  /** Greedy without skipping: the count had stopped at an option before it. */
  | { kind: 'stopped'; at: string }
  /** Equal shares: its supporters had `had` between them and paid `paid` each or, unless they all paid the same, at most so much. */
  | { kind: 'paid'; supporters: number; had: number; paid: number; isEqual: boolean }
  /** Equal shares: what its supporters had left is `short` too little. More supporters means people who still have their whole share. */
  | { kind: 'short'; supporters: number; had: number; short: number; moreSupporters: number }
  | { kind: 'no-votes' }
  | { kind: 'below-threshold'; threshold: number }
  /** Another option of its group was funded. */
  | { kind: 'group'; other: string }

/** One decision of the count, in order. */
export interface Step {
  option: string
  isFunded: boolean
  /** Equal shares: the effective vote count. Greedy: the votes. */
  score: number
  /** Of the pot after this step. */
  left: number
  /** Other options that would have been as good, if a tie was decided here; and by what. */
  tie?: { options: readonly string[]; by: 'votes' | 'cost' | 'lot' }
}

export interface Outcome {
  rule: CountingRule
  /** In the order in which they were funded. */
  funded: readonly string[]
  cost: number
  /** By option, in the order of the election: votes, or points. */
  votes: readonly number[]
  reasons: readonly Reason[]
  steps: readonly Step[]
  /** Ballots with at least one funded option. */
  satisfied: number
  /** Equal shares: each voter's share at first and at the end, in minor units (rounded down), and what the options of the next step would have cost. */
  shares?: { first: number; last: number; raised: number; nextCost: number | null }
}

/** Votes of each option, or the points that it was given. */
export function countVotes({ options, ballots, points }: Pick<Votes, 'options' | 'ballots' | 'points'>): number[] {
  const votes = options.map(() => 0)
  for (const [at, ballot] of ballots.entries())
    for (const [place, option] of ballot.entries()) votes[option] = (votes[option] ?? 0) + (points ? (points[at]?.[place] ?? 0) : 1)
  return votes
}

export const countSatisfied = (ballots: Election['ballots'], funded: ReadonlySet<number>): number =>
  ballots.filter((ballot) => ballot.some((option) => funded.has(option))).length
