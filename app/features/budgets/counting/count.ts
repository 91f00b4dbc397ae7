import type { CountingRule } from '#app/lib/vocabulary/budgets.ts'
import type { Election, Outcome } from './election.ts'
import { countEqualShares } from './equal-shares.ts'
import { countGreedily } from './greedy.ts'

/** Counts an election by a rule. The order of ballots and options changes nothing but the order in which the result names them. */
export function countElection(election: Election, rule: CountingRule): Outcome {
  return rule === 'equal-shares' ? countEqualShares(election) : countGreedily(election, rule === 'greedy')
}
