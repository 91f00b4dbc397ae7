import { fromDate, getDayOfWeek, Time, toCalendarDate, toCalendarDateTime, toZoned } from '@internationalized/date'
import type { ReportSchedule } from '#app/lib/vocabulary/report-views.ts'
import { addDays, type ReportSearch } from '../report.search.ts'

const HOUR = 7

/** When a report is mailed next, after `now`: at seven on a Monday or on the first of a month, in the site's time zone. */
export function computeNextAt(schedule: ReportSchedule, timeZone: string, now: Date): Date | null {
  if (schedule === 'none') return null
  const today = toCalendarDate(fromDate(now, timeZone))
  const step = schedule === 'weekly' ? { weeks: 1 } : { months: 1 }
  let day = schedule === 'weekly' ? today.subtract({ days: getDayOfWeek(today, 'en-GB') }) : today.set({ day: 1 })
  const toInstant = () => toZoned(toCalendarDateTime(day, new Time(HOUR)), timeZone).toDate()
  while (toInstant() <= now) day = day.add(step)
  return toInstant()
}

/** The same report for a mail: a rolling period ends yesterday, so that it has only whole days. */
export const omitToday = (search: ReportSearch, today: string): ReportSearch =>
  search.from !== undefined || search.until !== undefined ? search : { ...search, until: addDays(today, -1) }
