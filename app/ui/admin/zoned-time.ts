import { parseAbsolute, parseDateTime, toZoned } from '@internationalized/date'
import { isHalfMoment } from '#app/lib/half-moment.ts'

/** Date and time on the site's clock: `2026-12-14`, `17:00`. Either may still be empty. */
export interface WallTime {
  date: string
  time: string
}

/** Stands for incomplete input that is not a date or time yet. */
export const INCOMPLETE = '?'

const padTwo = (value: number): string => String(value).padStart(2, '0')

/** Wall time of an instant (ISO 8601, UTC) in a zone, or incomplete input as typed. Empty if there is none. */
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
 * The instant (ISO 8601, UTC) of a wall time in a zone; undefined if incomplete or invalid. A time skipped in spring becomes the same time
 * after the change; one repeated in autumn is the first of the two.
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
 * The typed value as a form stores it: an instant, incomplete input, or undefined.
 * @param timeIfMissing the time implied by a date without one; without it, that input is incomplete
 */
export function toMoment({ date, time }: WallTime, zone: string, timeIfMissing?: string): string | undefined {
  if (!date && !time) return undefined
  return toInstant({ date, time: time || (timeIfMissing ?? '') }, zone) ?? `${date}T${time}`
}
