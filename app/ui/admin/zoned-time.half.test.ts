import { describe, expect, test } from 'vitest'
import { isHalfMoment } from '#app/lib/half-moment.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { validateInput } from '#app/lib/validate.ts'
import { INCOMPLETE, toMoment, toWallTime } from './zoned-time.ts'

const ZONE = 'America/Toronto'
const codesOf = (value: unknown) => {
  const checked = validateInput(timestampSchema, value)
  return checked.ok ? [] : checked.faults.map(({ code }) => code)
}

describe('a typed date and time', () => {
  test('is an instant in the site’s time zone once complete, and undefined while empty', () => {
    expect(toMoment({ date: '2026-12-05', time: '09:00' }, ZONE)).toBe('2026-12-05T14:00:00.000Z')
    expect(toMoment({ date: '', time: '' }, ZONE)).toBeUndefined()
    expect(toMoment({ date: '', time: '' }, ZONE, '00:00')).toBeUndefined()
  })

  test.each([
    ['00:00', '2026-12-05T05:00:00.000Z'],
    ['23:59', '2026-12-06T04:59:00.000Z'],
  ])('defaults to %s if the field implies a time', (timeIfMissing, expected) => {
    expect(toMoment({ date: '2026-12-05', time: '' }, ZONE, timeIfMissing)).toBe(expected)
  })

  test.each([
    ['a day without a time', { date: '2026-12-05', time: '' }, undefined],
    ['a time without a day', { date: '', time: '09:00' }, undefined],
    ['a time without a day, also where a day needs none', { date: '', time: '09:00' }, '00:00'],
    ['a day that is begun', { date: INCOMPLETE, time: '' }, '00:00'],
    ['a day that is begun, with a time', { date: INCOMPLETE, time: '09:00' }, undefined],
    ['a time that is begun', { date: '2026-12-05', time: INCOMPLETE }, '23:59'],
  ])('is incomplete with %s: kept as typed and refused by the schema', (_, typed, timeIfMissing) => {
    const moment = toMoment(typed, ZONE, timeIfMissing)
    expect(isHalfMoment(moment)).toBe(true)
    expect(toWallTime(moment, ZONE)).toEqual(typed)
    expect(codesOf(moment)).toEqual(['half-a-moment'])
  })
})

test('a complete instant is not taken for an incomplete one, and nonsense is still refused', () => {
  expect(codesOf('2026-12-05T14:00:00.000Z')).toEqual([])
  expect(codesOf('2026-12-05')).toEqual(['half-a-moment'])
  expect(codesOf('tomorrow')).not.toContain('half-a-moment')
  for (const value of ['2026-12-05T14:00:00Z', '2026-12-05T14:00:00+01:00', '', undefined, null]) expect(isHalfMoment(value)).toBe(false)
})
