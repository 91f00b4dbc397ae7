const DAY_MS = 86_400_000
const calendars = new Map<string, Intl.DateTimeFormat>()

/** The calendar day in `timeZone`: `2026-11-21`. */
export function toCalendarDay(timeZone: string, at: Date): string {
  let calendar = calendars.get(timeZone)
  if (!calendar) {
    calendar = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    calendars.set(timeZone, calendar)
  }
  return calendar.format(at)
}

/** The last `count` days up to `today`, oldest first. Steps from noon, so that daylight saving changes skip no day. */
export function listDaysUntil(today: string, count: number): string[] {
  const noon = new Date(`${today}T12:00:00Z`).getTime()
  return Array.from({ length: count }, (_, index) => new Date(noon - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10))
}
