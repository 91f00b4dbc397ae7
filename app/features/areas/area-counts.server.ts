import { findSuppressedCells, SUPPRESSION_THRESHOLD, type SuppressibleCount } from '#app/lib/suppressed-cells.ts'

/** Number of responses from an area. */
export interface CountedArea {
  area: string
  name: string
  responses: SuppressibleCount
}

/**
 * Keeps a published count until it has changed by at least five, because the difference between two publications could reveal where those
 * few people live. Once updated, the count includes everybody.
 */
export const suppressSmallChanges = (before: readonly CountedArea[], now: readonly CountedArea[]): CountedArea[] =>
  now.map((one) => {
    const last = before.find(({ area }) => area === one.area)?.responses ?? null
    return last !== null && one.responses !== null && Math.abs(one.responses - last) < SUPPRESSION_THRESHOLD
      ? { ...one, responses: last }
      : one
  })

/**
 * Hides small counts, and as many others as it takes that none can be derived from the total: preferably those that were hidden `before`,
 * because a different choice would reveal both.
 */
export function suppressSmallCounts(
  counts: readonly (CountedArea & { responses: number })[],
  before: readonly CountedArea[] = [],
): CountedArea[] {
  const cells = counts.map((one) => ({
    area: one.area,
    count: one.responses,
    sums: ['all'],
    wasHidden: before.some(({ area, responses }) => area === one.area && responses === null),
  }))
  const hidden = new Set([...findSuppressedCells(cells, 'known')].map(({ area }) => area))
  return counts.map((one) => (hidden.has(one.area) ? { ...one, responses: null } : one))
}
