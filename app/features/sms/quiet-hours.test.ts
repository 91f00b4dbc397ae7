import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findQuietEnd, findTimeZone } from './quiet-hours.ts'

const at = (text: string, zone: string) => findQuietEnd(new Date(text), zone)?.toISOString()

test("a text waits for eight in the morning, its reader's time", () => {
  expect(at('2026-06-01T20:59:00-04:00', 'America/Toronto')).toBe(undefined)
  expect(at('2026-06-01T21:00:00-04:00', 'America/Toronto')).toBe('2026-06-02T12:00:00.000Z')
  expect(at('2026-06-02T07:59:59-04:00', 'America/Toronto')).toBe('2026-06-02T12:00:00.000Z')
  expect(at('2026-06-02T08:00:00-04:00', 'America/Toronto')).toBe(undefined)
  expect(at('2026-06-01T22:10:00-02:30', 'America/St_Johns')).toBe('2026-06-02T10:30:00.000Z')
})

test('local clock time counts, even on the night it is put back', () => {
  expect(at('2026-10-31T23:00:00-04:00', 'America/Toronto')).toBe('2026-11-01T13:00:00.000Z')
})

test("a number from a single-zone country is in that zone; any other is assumed to be in the site's", () => {
  expect(findTimeZone('+447700900123', 'America/Toronto')).toBe('Europe/London')
  expect(findTimeZone('+16135550123', 'America/Toronto')).toBe('America/Toronto')
})

test('property: in any zone the end of quiet hours is not quiet, in the future and less than half a day away', () => {
  const zones = fc.constantFrom('America/Toronto', 'America/St_Johns', 'Europe/London', 'Australia/Sydney', 'Asia/Kathmandu')
  fc.assert(
    fc.property(fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true }), zones, (now, zone) => {
      const end = findQuietEnd(now, zone)
      if (!end) return
      expect(end.getTime()).toBeGreaterThanOrEqual(now.getTime())
      expect(end.getTime() - now.getTime()).toBeLessThan(12.1 * 3_600_000)
      expect(findQuietEnd(end, zone)).toBe(undefined)
    }),
  )
})
