/** How many answers came from an area; null where so few did that somebody might be recognised. */
export interface CountedArea {
  area: string
  name: string
  responses: number | null
}

const MIN_SHOWN_COUNT = 5

/**
 * Later numbers beside those that were given before: one that changed by fewer than a few stays what it was, since from the difference somebody
 * could read where those few live. Where it is next taken up, it counts them all.
 */
export const suppressSmallChanges = (before: readonly CountedArea[], now: readonly CountedArea[]): CountedArea[] =>
  now.map((one) => {
    const last = before.find(({ area }) => area === one.area)?.responses ?? null
    return last !== null && one.responses !== null && Math.abs(one.responses - last) < MIN_SHOWN_COUNT ? { ...one, responses: last } : one
  })

/**
 * Without small numbers; and where only one would be hidden, without a second too, so that it cannot be told from a sum: one that was hidden
 * `before` stays so, since beside the earlier numbers another choice would tell both; otherwise the next smallest.
 */
export function suppressSmallCounts(
  counts: readonly (CountedArea & { responses: number })[],
  before: readonly CountedArea[] = [],
): CountedArea[] {
  const inOrder = counts.toSorted((a, b) => a.responses - b.responses)
  const small = inOrder.filter(({ responses }) => responses < MIN_SHOWN_COUNT)
  const others = inOrder.slice(small.length)
  const wasHidden = (one: CountedArea) => before.some(({ area, responses }) => area === one.area && responses === null)
  const second = small.length === 1 ? (others.find(wasHidden) ?? others[0]) : undefined
  const hidden = new Set<CountedArea>(second ? [...small, second] : small)
  return counts.map((one) => (hidden.has(one) ? { ...one, responses: null } : one))
}
