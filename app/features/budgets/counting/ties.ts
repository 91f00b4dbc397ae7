import { hashText } from '#app/lib/hash-text.ts'
import type { Election, Votes } from './election.ts'

/** SHA-256 of the ballots, whatever their order: each as the sorted ids of its options, with their points if it gives any, the lines sorted. */
export const digestBallots = ({ options, ballots, points }: Pick<Votes, 'options' | 'ballots' | 'points'>): Promise<string> =>
  hashText(
    ballots
      .map((ballot, at) =>
        ballot
          .map((option, place) => `${options[option]?.id ?? ''}${points ? `:${points[at]?.[place] ?? 0}` : ''}`)
          .toSorted()
          .join(','),
      )
      .toSorted()
      .join('\n'),
  )

/** The lot that decides ties: SHA-256 of the seed, to which the organiser committed at opening, followed by the digest of the ballots. */
export const drawLot = (seed: string, ballotsDigest: string): Promise<string> => hashText(seed + ballotsDigest)

/** Adds to votes what decides their ties. @param from the lot itself, or the seed that it is drawn from */
export async function prepareElection(votes: Votes, from: { lot: string } | { seed: string }): Promise<Election> {
  const digest = await digestBallots(votes)
  const lot = 'lot' in from ? from.lot : await drawLot(from.seed, digest)
  return { ...votes, digest, lot, tieHashes: await Promise.all(votes.options.map(({ id }) => hashText(`${lot}/${id}`))) }
}

/** Orders tied options: more votes, then lower cost, then the lower hash of the lot and the option's id. */
export const compareTied =
  ({ options, tieHashes }: Pick<Election, 'options' | 'tieHashes'>, votes: readonly number[]) =>
  (a: number, b: number): number =>
    (votes[b] ?? 0) - (votes[a] ?? 0) ||
    (options[a]?.cost ?? 0) - (options[b]?.cost ?? 0) ||
    ((tieHashes[a] ?? '') < (tieHashes[b] ?? '') ? -1 : 1)

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
