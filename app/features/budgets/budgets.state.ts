import type { BudgetPhase, BudgetStatus, ResultState } from '#app/lib/vocabulary/budgets.ts'

/** Whoever opened a ballot before closing has this much longer. */
export const GRACE_MS = 15 * 60_000

interface TimedRound {
  status: BudgetStatus
  opensAt: Date | null
  closesAt: Date | null
}

/** Where a round stands. Everything that shows it or takes ballots uses this. */
export function getBudgetPhase(now: Date, round: TimedRound, result?: { state: ResultState }): BudgetPhase {
  if (round.status === 'draft') return 'draft'
  if (result?.state === 'certified') return 'decided'
  if (!round.opensAt || now < round.opensAt) return 'announced'
  return round.closesAt && now >= round.closesAt ? 'deciding' : 'voting'
}

/** Whether a ballot that was opened then may still be cast. */
export function isVotingOpen(now: Date, round: TimedRound, openedAt: Date): boolean {
  const phase = getBudgetPhase(now, round)
  if (phase === 'voting') return true
  if (phase !== 'deciding' || !round.closesAt) return false
  return openedAt < round.closesAt && now.getTime() < round.closesAt.getTime() + GRACE_MS
}

/** Whether all ballots are in, also those that were opened before closing. */
export const isVotingOver = (now: Date, round: TimedRound): boolean =>
  getBudgetPhase(now, round) === 'deciding' && now.getTime() >= (round.closesAt?.getTime() ?? Infinity) + GRACE_MS
