import { expect, test } from 'vitest'
import { addWorkingDays } from './due-date.server.ts'

const at = (from: string, days: number, zone = 'Europe/London') => addWorkingDays(new Date(from), days, zone).toISOString()

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
