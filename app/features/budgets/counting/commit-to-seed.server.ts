import { createHash } from 'node:crypto'

/** The hash that is published at opening, which shows that the seed was chosen before there were ballots. */
export const commitToSeed = (seed: string): string => createHash('sha256').update(seed).digest('hex')
