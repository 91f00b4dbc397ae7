import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listNumberZones } from './number-zones.ts'
import { findQuietEnd } from './quiet-hours.ts'

const at = (text: string, zone: string) => findQuietEnd(new Date(text), [zone])?.toISOString()

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

// Zones as published by the numbering plans: NANPA for area codes below +1.
test.each([
  ['+16135550123', ['America/Toronto']],
  ['+19025550123', ['America/Halifax']],
  ['+16045550123', ['America/Vancouver']],
  ['+13065550123', ['America/Regina']],
  ['+18085550123', ['Pacific/Honolulu']],
  ['+12125550123', ['America/New_York']],
  ['+33612345678', ['Europe/Paris']],
])('the code of %s tells its time zone', (phone, zones) => expect(listNumberZones(phone)).toEqual(zones))

test('a number whose code reaches into several zones waits until none of them is quiet, whatever the zone of the site', () => {
  // Northern Ontario: Thunder Bay by Toronto, Kenora by Winnipeg.
  expect(listNumberZones('+18075550123')).toEqual(expect.arrayContaining(['America/Toronto', 'America/Winnipeg']))
  expect(findQuietEnd(new Date('2026-06-02T08:15:00-04:00'), listNumberZones('+18075550123'))?.toISOString()).toBe(
    '2026-06-02T13:00:00.000Z',
  )
  expect(listNumberZones('+17095550123')).toContain('America/St_Johns')
  expect(listNumberZones('+447700900123')).toContain('Europe/London')
  expect(listNumberZones('+64211234567')).toContain('Pacific/Auckland')
})

test('every code has an hour of the day at which texts may leave', () => {
  const noon = Date.parse('2026-01-15T12:00:00Z')
  for (const prefix of ['1', '1800', '1807', '7', '61', '55', '52', '62', '33', '881'])
    for (let hour = 0; hour < 24; hour++) {
      const at = new Date(noon + hour * 3_600_000)
      const zones = listNumberZones(`+${prefix}5550123`)
      const end = findQuietEnd(at, zones)
      if (end) expect(findQuietEnd(end, zones), prefix).toBe(undefined)
      else expect(zones.length, prefix).toBeGreaterThan(0)
    }
  expect(
    Array.from({ length: 24 }, (_, hour) => findQuietEnd(new Date(noon + hour * 3_600_000), listNumberZones('+18005550123'))).filter(
      (end) => !end,
    ).length,
  ).toBeGreaterThan(0)
})

test('property: in any zone the end of quiet hours is not quiet, in the future and less than half a day away', () => {
  const zones = fc.constantFrom('America/Toronto', 'America/St_Johns', 'Europe/London', 'Australia/Sydney', 'Asia/Kathmandu')
  fc.assert(
    fc.property(fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true }), zones, (now, zone) => {
      const end = findQuietEnd(now, [zone])
      if (!end) return
      expect(end.getTime()).toBeGreaterThanOrEqual(now.getTime())
      expect(end.getTime() - now.getTime()).toBeLessThan(12.1 * 3_600_000)
      expect(findQuietEnd(end, [zone])).toBe(undefined)
    }),
  )
})
