import { toCalendarDay } from '#app/features/reach/reach.days.server.ts'
import { listNamedHolidays, type NamedHoliday } from '#app/lib/public-holidays.ts'
import type { HolidayCalendar } from '#app/lib/vocabulary/holidays.ts'

const DAY_MS = 86_400_000

export interface OpenDays {
  days: number
  /** Public holidays among them. */
  holidays: NamedHoliday[]
}

/**
 * Calendar days on which a project is open, the first and the last included.
 * @returns null without an end
 */
export function countOpenDays(
  opensAt: Date,
  closesAt: Date | null,
  { timeZone, holidays }: { timeZone: string; holidays: HolidayCalendar },
): OpenDays | null {
  if (!closesAt) return null
  if (closesAt <= opensAt) return { days: 0, holidays: [] }
  // What closes at midnight was open until the day before.
  const [first, last] = [toCalendarDay(timeZone, opensAt), toCalendarDay(timeZone, new Date(closesAt.getTime() - 1))]
  const days = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1
  const years = Array.from({ length: Number(last.slice(0, 4)) - Number(first.slice(0, 4)) + 1 }, (_, at) => Number(first.slice(0, 4)) + at)
  const within = years.flatMap((year) => listNamedHolidays(holidays, year)).filter(({ day }) => day >= first && day <= last)
  return { days, holidays: within }
}
