import { describe, expect, it } from 'vitest'
import { toInstant, toWallTime } from './zoned-time.ts'

describe("a time in the site's time zone", () => {
  it.each([
    ['America/Toronto', '2026-12-14', '17:00', '2026-12-14T22:00:00.000Z'],
    ['Europe/London', '2026-07-01', '09:30', '2026-07-01T08:30:00.000Z'],
    ['Australia/Sydney', '2026-01-05', '08:00', '2026-01-04T21:00:00.000Z'],
  ])('is stored in UTC and shown as entered in %s', (zone, date, time, instant) => {
    expect(toInstant({ date, time }, zone)).toBe(instant)
    expect(toWallTime(instant, zone)).toEqual({ date, time })
  })

  it('skipped in spring becomes the same time after the change', () => {
    const instant = toInstant({ date: '2026-03-08', time: '02:30' }, 'America/Toronto')
    expect(instant).toBe('2026-03-08T07:30:00.000Z')
    expect(toWallTime(instant, 'America/Toronto')).toEqual({ date: '2026-03-08', time: '03:30' })
  })

  it('repeated in autumn is the first of the two', () => {
    expect(toInstant({ date: '2026-11-01', time: '01:30' }, 'America/Toronto')).toBe('2026-11-01T05:30:00.000Z')
  })

  it.each([
    ['', '17:00'],
    ['2026-12-14', ''],
    ['2026-02-31', '10:00'],
    ['14/12/2026', '10:00'],
    ['2026-12-14', '25:00'],
  ])('is undefined if incomplete or impossible: "%s" "%s"', (date, time) => {
    expect(toInstant({ date, time }, 'Europe/London')).toBeUndefined()
  })

  it('shows nothing if it is not set', () => {
    expect(toWallTime(undefined, 'Europe/London')).toEqual({ date: '', time: '' })
  })
})
