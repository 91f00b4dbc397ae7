/** How many answers came from an area; null where so few did that somebody might be recognised. */
export interface CountedArea {
  area: string
  name: string
  responses: number | null
}

const SMALLEST = 5

/**
 * Later numbers beside those that were given before: one that changed by fewer than a few stays what it was, since from the difference somebody
 * could read where those few live. Where it is next taken up, it counts them all.
 */
export const steadied = (before: readonly CountedArea[], now: readonly CountedArea[]): CountedArea[] =>
  now.map((one) => {
    const last = before.find(({ area }) => area === one.area)?.responses ?? null
    return last !== null && one.responses !== null && Math.abs(one.responses - last) < SMALLEST ? { ...one, responses: last } : one
  })

/** Without small numbers; and where only one would be hidden, without the next smallest too, so that it cannot be told from a sum. */
export function withoutSmall(counts: readonly (CountedArea & { responses: number })[]): CountedArea[] {
  const inOrder = counts.toSorted((a, b) => a.responses - b.responses)
  const small = inOrder.filter(({ responses }) => responses < SMALLEST).length
  const hidden = new Set(inOrder.slice(0, small === 1 ? 2 : small))
  return counts.map((one) => (hidden.has(one) ? { ...one, responses: null } : one))
}
