import { expect, test } from 'vitest'
import type { HolidayCalendar } from '#app/lib/vocabulary/holidays.ts'
import { addWorkingDays } from './due-date.server.ts'

const at = (from: string, days: number, timeZone = 'Europe/London') => addWorkingDays(new Date(from), days, { timeZone }).toISOString()

test('working days are Monday to Friday, and the day of asking is not counted', () => {
  // Monday 2 March 2026.
  expect(at('2026-03-02T12:00:00Z', 1)).toBe('2026-03-03T23:59:59.000Z')
  expect(at('2026-03-02T12:00:00Z', 4)).toBe('2026-03-06T23:59:59.000Z')
  expect(at('2026-03-02T12:00:00Z', 5)).toBe('2026-03-09T23:59:59.000Z')
  expect(at('2026-03-02T12:00:00Z', 10)).toBe('2026-03-16T23:59:59.000Z')
})

test('what is asked on a weekend counts from Monday', () => {
  expect(at('2026-03-07T12:00:00Z', 1)).toBe('2026-03-09T23:59:59.000Z')
  expect(at('2026-03-08T23:30:00Z', 1)).toBe('2026-03-09T23:59:59.000Z')
})

test('days are those of the site, also when the clocks change', () => {
  // Friday 6 March, 23:00 in Toronto: already Saturday in London.
  expect(at('2026-03-07T04:00:00Z', 1, 'America/Toronto')).toBe('2026-03-10T03:59:59.000Z')
  // Summer time begins in London on Sunday 29 March.
  expect(at('2026-03-27T12:00:00Z', 1)).toBe('2026-03-30T22:59:59.000Z')
})

test('public holidays are no working days, also across the end of a year', () => {
  const count = (from: string, holidays: HolidayCalendar) =>
    addWorkingDays(new Date(from), 3, { timeZone: 'Europe/London', holidays }).toISOString().slice(0, 10)
  // Wednesday 1 April 2026: Easter is on the 5th.
  expect(count('2026-04-01T12:00:00Z', 'none')).toBe('2026-04-06')
  expect(count('2026-04-01T12:00:00Z', 'uk-england-wales')).toBe('2026-04-08')
  // Easter Monday is a working day in Scotland.
  expect(count('2026-04-01T12:00:00Z', 'uk-scotland')).toBe('2026-04-07')
  // Thursday 24 December 2026: 25 and 28 December are holidays, and so is 1 January.
  expect(count('2026-12-24T12:00:00Z', 'uk-england-wales')).toBe('2026-12-31')
  expect(count('2026-12-29T12:00:00Z', 'uk-scotland')).toBe('2027-01-05')
})
