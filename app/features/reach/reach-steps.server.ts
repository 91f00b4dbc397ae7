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

/** Sums that are read instead of days. */
export interface KeptSums {
  step: ReachStep
  /** First days, oldest first. */
  starts: string[]
}

/**
 * Which sums are up to date and add up to figures by `step`, and the days that they leave. Months are made from weeks too: those that lie in one month
 * and in none that is summed up.
 */
export async function chooseKeptSums(
  tx: Tx,
  siteId: string,
  step: ReachStep,
  span: DaySpan,
): Promise<{ kept: KeptSums[]; rest: DaySpan[] }> {
  const { siteId: site, step: kind, start, isCurrent } = reachStepStates
  const current = await tx
    .select({ step: kind, start })
    .from(reachStepStates)
    .where(and(eq(site, siteId), step === 'week' ? eq(kind, step) : undefined, eq(isCurrent, true), gte(start, span.from)))
    .orderBy(asc(start))
  const listWithin = (of: ReachStep, { from, until }: DaySpan) =>
    current.flatMap((row) =>
      row.step === of && row.start >= from && (until === undefined || findLastDay(row.start, of) <= until) ? [row.start] : [],
    )
  const starts = listWithin(step, span)
  const rest = listSpansBetween(starts, step, span)
  if (step === 'week') return { kept: [{ step, starts }], rest }
  const inParts = rest.map((part) => ({
    part,
    weeks: listWithin('week', part).filter((week) => isSameMonth(week, findLastDay(week, 'week'))),
  }))
  return {
    kept: [
      { step, starts },
      { step: 'week', starts: inParts.flatMap(({ weeks }) => weeks) },
    ],
    rest: inParts.flatMap(({ part, weeks }) => listSpansBetween(weeks, 'week', part)),
  }
}

const findLastDay = (start: string, step: ReachStep): string => moveDay(findNextStart(start, step), { days: -1 })
const isSameMonth = (one: string, other: string): boolean => one.slice(0, 7) === other.slice(0, 7)

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
