import { type CalendarDate, CalendarDateTime, fromDate, isWeekend, toCalendarDate, toZoned } from '@internationalized/date'
import { listPublicHolidays } from '#app/lib/public-holidays.ts'
import type { HolidayCalendar } from '#app/lib/vocabulary/holidays.ts'

interface WorkingCalendar {
  timeZone: string
  holidays?: HolidayCalendar
}

/**
 * The end of a working day in the site's time zone: Monday to Friday, without the public holidays of the site (decision 0097). The day of
 * `from` is not counted.
 */
export function addWorkingDays(from: Date, days: number, { timeZone, holidays = 'none' }: WorkingCalendar): Date {
  const isHoliday = createHolidayCheck(holidays)
  let day = toCalendarDate(fromDate(from, timeZone))
  for (let left = days; left > 0;) {
    day = day.add({ days: 1 })
    // In the United Kingdom and Canada, weekends are Saturday and Sunday.
    if (!isWeekend(day, 'en-GB') && !isHoliday(day)) left -= 1
  }
  return toZoned(new CalendarDateTime(day.year, day.month, day.day, 23, 59, 59), timeZone).toDate()
}

function createHolidayCheck(calendar: HolidayCalendar): (day: CalendarDate) => boolean {
  const years = new Map<number, Set<string>>()
  return (day) => {
    const kept = years.get(day.year) ?? new Set(listPublicHolidays(calendar, day.year))
    years.set(day.year, kept)
    return kept.has(day.toString())
  }
}
