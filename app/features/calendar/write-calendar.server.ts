import ical, { ICalCalendarMethod } from 'ical-generator'
import type { DatePrecision } from '#app/lib/format.ts'

export interface WrittenDate {
  /** The same in every file, so that calendar programs change an event rather than add one. */
  id: string
  summary: string
  description?: string
  location?: string
  /** Absolute. */
  url: string
  /** In the site's calendar: `2026-12-03`. */
  day: string
  /** An ISO timestamp if the precision is a time. */
  at: string | null
  /** When it ends, of something that has a time. */
  until?: string
  precision: DatePrecision
}

interface WrittenCalendar {
  name: string
  /** The site's host, which makes ids unique. */
  host: string
  dates: readonly WrittenDate[]
  now: Date
}

/**
 * A file for calendar programs (RFC 5545). Times are in UTC, which every program shows in its own time zone; days, months and seasons are all-day
 * events in the site's calendar.
 */
export function writeCalendar({ name, host, dates, now }: WrittenCalendar): string {
  const calendar = ical({ name, prodId: { company: 'Parley', product: 'Calendar' }, method: ICalCalendarMethod.PUBLISH })
  for (const { id, summary, description, location, url, ...when } of dates) {
    calendar.createEvent({
      id: `${id}@${host}`,
      summary,
      url,
      stamp: now,
      ...(description && { description }),
      ...(location && { location }),
      ...(when.at === null
        ? { allDay: true, ...findSpan(when) }
        : { start: new Date(when.at), ...(when.until && { end: new Date(when.until) }) }),
    })
  }
  return calendar.toString()
}

/** The first day and the one after the last, as midnights in UTC. */
function findSpan({ day, precision }: Pick<WrittenDate, 'day' | 'precision'>): { start: Date; end: Date } {
  const [year = 0, month = 1, dayOfMonth = 1] = day.split('-').map(Number)
  const toSpan = (first: [number, number, number], last: [number, number, number]) => ({
    start: new Date(Date.UTC(...first)),
    end: new Date(Date.UTC(...last)),
  })
  if (precision === 'season') {
    // Winter begins in December: for January, that is the year before.
    const start = month === 12 ? 11 : Math.floor(month / 3) * 3 - 1
    return toSpan([year, start, 1], [year, start + 3, 1])
  }
  if (precision === 'month') return toSpan([year, month - 1, 1], [year, month, 1])
  return toSpan([year, month - 1, dayOfMonth], [year, month - 1, dayOfMonth + 1])
}
