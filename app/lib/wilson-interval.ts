/** From 0 to 1. */
export interface Interval {
  from: number
  until: number
}

/** The 97.5th percentile of the normal distribution. */
const Z = 1.959964

/**
 * The score interval for a share at 95 per cent, without a correction for continuity or for a small population: E. B. Wilson, “Probable
 * inference, the law of succession, and statistical inference”, Journal of the American Statistical Association 22 (1927), 209–212. Only for
 * random samples, and for estimates that are called so: people who chose to answer are no sample.
 * @param share from 0 to 1
 * @param people more than 0; not whole for an effective number of people
 */
export function findWilsonInterval(share: number, people: number): Interval {
  const shrunk = 1 + Z ** 2 / people
  const middle = (share + Z ** 2 / (2 * people)) / shrunk
  const half = (Z / shrunk) * Math.sqrt((share * (1 - share)) / people + Z ** 2 / (4 * people ** 2))
  return { from: Math.max(0, middle - half), until: Math.min(1, middle + half) }
}

/** The ends of a range as files have them: shares from 0 to 1 with four decimals. Null without a range. */
export const listRangeEnds = (range: Interval | undefined): [from: number | null, until: number | null] =>
  range ? [roundShare(range.from), roundShare(range.until)] : [null, null]

const roundShare = (share: number) => Math.round(share * 10_000) / 10_000
