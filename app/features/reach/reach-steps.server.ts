import { parseDate } from '@internationalized/date'
import { and, asc, eq, gte } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { reachStepStates } from '#app/server/db/schema/reach.ts'

/** Spans of days whose reach is kept as a sum. */
export const REACH_STEPS = ['week', 'month'] as const
export type ReachStep = (typeof REACH_STEPS)[number]

/** Days in the site's calendar, both inclusive; without an end, until now. */
export interface DaySpan {
  from: string
  until?: string | undefined
}

const moveDay = (day: string, by: { days?: number; weeks?: number; months?: number }): string => parseDate(day).add(by).toString()
/** The first day after a step. */
export const findNextStart = (start: string, step: ReachStep): string => moveDay(start, step === 'week' ? { weeks: 1 } : { months: 1 })

/** The first days of the steps within a span whose sums are up to date. */
export async function listKeptSteps(tx: Tx, siteId: string, step: ReachStep, { from, until }: DaySpan): Promise<string[]> {
  const { siteId: site, step: kind, start, isCurrent } = reachStepStates
  const rows = await tx
    .select({ start })
    .from(reachStepStates)
    .where(and(eq(site, siteId), eq(kind, step), eq(isCurrent, true), gte(start, from)))
    .orderBy(asc(start))
  return rows.flatMap((row) => (until === undefined || moveDay(findNextStart(row.start, step), { days: -1 }) <= until ? [row.start] : []))
}

/** What steps leave of a span. @param starts oldest first */
export function listSpansBetween(starts: readonly string[], step: ReachStep, { from, until }: DaySpan): DaySpan[] {
  const spans: DaySpan[] = []
  let next = from
  for (const start of starts) {
    if (next < start) spans.push({ from: next, until: moveDay(start, { days: -1 }) })
    next = findNextStart(start, step)
  }
  if (until === undefined || next <= until) spans.push({ from: next, until })
  return spans
}
