import type { BallotType } from '#app/lib/vocabulary/budgets.ts'

/** What limits a ballot. */
export interface BallotRules {
  ballotType: BallotType
  minOptions: number
  maxOptions: number | null
  /** Pots that one ballot may use; null: all. */
  maxPots: number | null
  /** Points that one ballot may give in all; null unless ballots give points. */
  maxPoints: number | null
}

/** Points by the number of the option, where ballots give points. */
export type Points = Readonly<Record<number, number>>

export interface OfferedPot {
  id: string
  amount: number
}

export interface OfferedOption {
  number: number
  potId: string
  cost: number
  isWithdrawn: boolean
}

export type BallotFault =
  | { code: 'option-gone'; number: number }
  | { code: 'option-twice'; number: number }
  | { code: 'too-few'; min: number }
  | { code: 'too-many'; max: number }
  | { code: 'too-many-pots'; max: number }
  | { code: 'over-the-pot'; potId: string; over: number }
  | { code: 'over-the-points'; max: number; over: number }
  | { code: 'points-missing'; number: number }

/** What the chosen options of one pot come to. */
export interface PotSummary {
  potId: string
  amount: number
  chosen: readonly number[]
  cost: number
  /** Negative if the options cost more than the pot. */
  left: number
}

export const summarisePots = (pots: readonly OfferedPot[], options: readonly OfferedOption[], chosen: readonly number[]): PotSummary[] =>
  pots.map(({ id, amount }) => {
    const own = options.filter(({ number, potId }) => potId === id && chosen.includes(number))
    const cost = own.reduce((sum, option) => sum + option.cost, 0)
    return { potId: id, amount, chosen: own.map(({ number }) => number), cost, left: amount - cost }
  })

export const sumPoints = (points: Points): number => Object.values(points).reduce((sum, own) => sum + own, 0)

/** What a ballot says, as its hash in the ledger has it: `1,3`, or with points `1:5,3:2`. @param options in ascending order */
export const describeBallot = (options: readonly number[], points: readonly number[] | null): string =>
  options.map((number, at) => (points ? `${number}:${points[at] ?? 0}` : number)).join(',')

/** Everything that is wrong with a ballot; empty if it may be cast. */
export function findBallotFaults(
  rules: BallotRules,
  pots: readonly OfferedPot[],
  options: readonly OfferedOption[],
  chosen: readonly number[],
  points: Points = {},
): BallotFault[] {
  const offered = new Set(options.filter(({ isWithdrawn }) => !isWithdrawn).map(({ number }) => number))
  const used = summarisePots(pots, options, chosen).filter((pot) => pot.chosen.length > 0)
  return [
    ...chosen.filter((number) => !offered.has(number)).map((number) => ({ code: 'option-gone' as const, number })),
    ...chosen.filter((number, at) => chosen.indexOf(number) < at).map((number) => ({ code: 'option-twice' as const, number })),
    ...(chosen.length < rules.minOptions ? [{ code: 'too-few' as const, min: rules.minOptions }] : []),
    ...(rules.maxOptions !== null && chosen.length > rules.maxOptions ? [{ code: 'too-many' as const, max: rules.maxOptions }] : []),
    ...(rules.maxPots !== null && used.length > rules.maxPots ? [{ code: 'too-many-pots' as const, max: rules.maxPots }] : []),
    ...(rules.ballotType === 'knapsack'
      ? used.filter(({ left }) => left < 0).map(({ potId, left }) => ({ code: 'over-the-pot' as const, potId, over: -left }))
      : []),
    ...(rules.ballotType === 'points' ? findPointFaults(rules.maxPoints ?? 0, chosen, points) : []),
  ]
}

function findPointFaults(max: number, chosen: readonly number[], points: Points): BallotFault[] {
  const over = sumPoints(points) - max
  return [
    ...chosen.filter((number) => !points[number]).map((number) => ({ code: 'points-missing' as const, number })),
    ...(over > 0 ? [{ code: 'over-the-points' as const, max, over }] : []),
  ]
}
