import { createHash } from 'node:crypto'
import type { Election } from './election.ts'

const hashText = (text: string): string => createHash('sha256').update(text).digest('hex')

/** SHA-256 of the ballots, whatever their order: each as the sorted ids of its options, the lines sorted. */
export function digestBallots({ options, ballots }: Pick<Election, 'options' | 'ballots'>): string {
  const lines = ballots.map((ballot) =>
    ballot
      .map((option) => options[option]?.id ?? '')
      .toSorted()
      .join(','),
  )
  return hashText(lines.toSorted().join('\n'))
}

/** The lot that decides ties: SHA-256 of the seed, to which the organiser committed at opening, followed by the digest of the ballots. */
export const drawLot = (seed: string, ballotsDigest: string): string => hashText(seed + ballotsDigest)

/** The hash that is published at opening, which shows that the seed was chosen before there were ballots. */
export const commitToSeed = (seed: string): string => hashText(seed)

/** Orders tied options: more votes, then lower cost, then the lower hash of the lot and the option's id. */
export function compareTied({ options, lot }: Pick<Election, 'options' | 'lot'>, votes: readonly number[]) {
  const hashes = options.map(({ id }) => hashText(`${lot}/${id}`))
  return (a: number, b: number): number =>
    (votes[b] ?? 0) - (votes[a] ?? 0) ||
    (options[a]?.cost ?? 0) - (options[b]?.cost ?? 0) ||
    ((hashes[a] ?? '') < (hashes[b] ?? '') ? -1 : 1)
}

/** What told the best option from the second. */
export function nameTieBreak(
  { options }: Pick<Election, 'options'>,
  votes: readonly number[],
  best: number,
  second: number,
): 'votes' | 'cost' | 'lot' {
  if (votes[best] !== votes[second]) return 'votes'
  return options[best]?.cost === options[second]?.cost ? 'lot' : 'cost'
}
