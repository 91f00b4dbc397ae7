import { parseAbsolute, parseDateTime, toZoned } from '@internationalized/date'
import { isHalfMoment } from '#app/lib/half-moment.ts'

/** A day and a minute as a clock on the site's wall shows them: `2026-12-14`, `17:00`. Either may still be empty. */
export interface WallTime {
  date: string
  time: string
}

/** What was begun in a control and is no date or time yet. */
export const INCOMPLETE = '?'

const padTwo = (value: number): string => String(value).padStart(2, '0')

/** The wall time of an instant (ISO 8601, UTC) in a zone, or what of one was typed. Empty where there is none. */
export function toWallTime(instant: string | undefined, zone: string): WallTime {
  if (!instant) return { date: '', time: '' }
  if (isHalfMoment(instant)) {
    const [date = '', time = ''] = instant.split('T')
    return { date, time }
  }
  const { year, month, day, hour, minute } = parseAbsolute(instant, zone)
  return { date: `${String(year).padStart(4, '0')}-${padTwo(month)}-${padTwo(day)}`, time: `${padTwo(hour)}:${padTwo(minute)}` }
}

/**
 * The instant (ISO 8601, UTC) of a wall time in a zone; undefined while it is incomplete or no date at all. In the hour that a clock
 * skips in spring it is the same time after the change; in the hour it repeats in autumn, the first.
 */
export function toInstant({ date, time }: WallTime, zone: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || !/^\d{2}:\d{2}$/.test(time)) return undefined
  try {
    return toZoned(parseDateTime(`${date}T${time}`), zone).toAbsoluteString()
  } catch {
    return undefined
  }
}

/**
 * What was typed, as a form holds it: an instant, half a moment, or undefined for none.
 * @param timeIfMissing what a day without a time means; without it, that is half a moment
 */
export function toMoment({ date, time }: WallTime, zone: string, timeIfMissing?: string): string | undefined {
  if (!date && !time) return undefined
  return toInstant({ date, time: time || (timeIfMissing ?? '') }, zone) ?? `${date}T${time}`
}
