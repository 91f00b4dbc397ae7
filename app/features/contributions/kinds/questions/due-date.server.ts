import { CalendarDateTime, fromDate, isWeekend, toCalendarDate, toZoned } from '@internationalized/date'

/**
 * The end of a working day in the site's time zone. The day of `from` is not counted. Parley knows no public holidays: every day from
 * Monday to Friday is a working day (decision 0046).
 */
export function addWorkingDays(from: Date, days: number, timeZone: string): Date {
  let day = toCalendarDate(fromDate(from, timeZone))
  for (let left = days; left > 0;) {
    day = day.add({ days: 1 })
    // In the United Kingdom and Canada, weekends are Saturday and Sunday.
    if (!isWeekend(day, 'en-GB')) left -= 1
  }
  return toZoned(new CalendarDateTime(day.year, day.month, day.day, 23, 59, 59), timeZone).toDate()
}
