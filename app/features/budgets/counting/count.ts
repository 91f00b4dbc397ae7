import type { CountingRule } from '#app/lib/vocabulary/budgets.ts'
import type { Election, Outcome } from './election.ts'
import { countEqualSharesByStep } from './equal-shares.ts'
import { countGreedily } from './greedy.ts'

/** Counts an election by a rule. The order of ballots and options changes nothing but the order in which the result names them. */
export function countElection(election: Election, rule: CountingRule): Outcome {
  const steps = countElectionByStep(election, rule)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same, a step at a time: yields how far the count is, from 0 to 1. */
export function* countElectionByStep(election: Election, rule: CountingRule): Generator<number, Outcome> {
  return rule === 'equal-shares' ? yield* countEqualSharesByStep(election) : countGreedily(election, rule === 'greedy')
}
