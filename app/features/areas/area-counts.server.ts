import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'

/** Number of responses from an area. */
export interface CountedArea {
  area: string
  name: string
  responses: SuppressibleCount
}

const MIN_SHOWN_COUNT = 5

/**
 * Keeps a published count until it has changed by at least five, because the difference between two publications could reveal where those
 * few people live. Once updated, the count includes everybody.
 */
export const suppressSmallChanges = (before: readonly CountedArea[], now: readonly CountedArea[]): CountedArea[] =>
  now.map((one) => {
    const last = before.find(({ area }) => area === one.area)?.responses ?? null
    return last !== null && one.responses !== null && Math.abs(one.responses - last) < MIN_SHOWN_COUNT ? { ...one, responses: last } : one
  })

/**
 * Hides small counts. If only one would be hidden, hides a second too, so that it cannot be derived from the total: preferably one that was
 * hidden `before`, because a different choice would reveal both; otherwise the next smallest.
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
