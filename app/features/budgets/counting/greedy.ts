import { countSatisfied, countVotes, type Election, type Outcome, type Reason, type Step } from './election.ts'
import { compareTied, nameTieBreak } from './ties.ts'

/**
 * Funds options by votes, the most first, as long as each fits in what is left.
 * @param skips whether the count goes on after an option that does not fit; otherwise it stops there
 */
export function countGreedily(election: Election, skips: boolean): Outcome {
  const { options, pot, threshold = 0 } = election
  const votes = countVotes(election)
  const order = options.map((_, at) => at).toSorted(compareTied(election, votes))
  const reasons: Reason[] = []
  const steps: Step[] = []
  const funded: number[] = []
  const groups = new Map<string, string>()
  let left = pot
  let stoppedAt: string | undefined
  for (const [place, at] of order.entries()) {
    const option = options[at]
    if (!option) continue
    const { id, cost, group } = option
    const own = votes[at] ?? 0
    const rival = group === undefined ? undefined : groups.get(group)
    if (own === 0) reasons[at] = { kind: 'no-votes' }
    else if (own < threshold) reasons[at] = { kind: 'below-threshold', threshold }
    else if (rival !== undefined) reasons[at] = { kind: 'group', other: rival }
    else if (stoppedAt !== undefined) reasons[at] = { kind: 'stopped', at: stoppedAt }
    else {
      const isFunded = cost <= left
      if (isFunded) {
        left -= cost
        funded.push(at)
        if (group !== undefined) groups.set(group, id)
      } else if (!skips) stoppedAt = id
      reasons[at] = isFunded ? { kind: 'fits', place: place + 1, left } : { kind: 'does-not-fit', left }
      const tied = order.slice(place + 1).filter((other) => votes[other] === own)
      const [second] = tied
      steps.push({
        option: id,
        isFunded,
        score: own,
        left,
        ...(second !== undefined && {
          tie: { options: tied.map((other) => options[other]?.id ?? ''), by: nameTieBreak(election, votes, at, second) },
        }),
      })
    }
  }
  return {
    rule: skips ? 'greedy' : 'greedy-no-skip',
    funded: funded.map((at) => options[at]?.id ?? ''),
    cost: pot - left,
    votes,
    reasons,
    steps,
    satisfied: countSatisfied(election.ballots, new Set(funded)),
  }
}
