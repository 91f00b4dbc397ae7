import { describe, expect, test } from 'vitest'
import { getFormatter } from './format.ts'

const canada = { timeZone: 'America/Toronto', region: 'Canada' }
const [en, fr] = [getFormatter({ language: 'en', ...canada }), getFormatter({ language: 'fr-CA', ...canada })]
const cy = getFormatter({ language: 'cy', timeZone: 'Europe/London', region: 'United Kingdom' })
const sydney = getFormatter({ language: 'en', timeZone: 'Australia/Sydney', region: 'Sydney' })
const at = '2026-12-15T03:30:00Z'
const now = '2026-12-05T18:00:00Z'

describe('dates', () => {
  test("use the site's time zone and the page's language", () => {
    expect(en.date(at)).toBe('14 December 2026')
    expect(fr.date(at)).toBe('14 décembre 2026')
    expect(cy.date(at)).toBe('15 Rhagfyr 2026')
    expect(sydney.date(at)).toBe('15 December 2026')
    expect(fr.dateTime(at)).toBe('14 décembre 2026, 22\u00a0h\u00a030')
    expect(cy.dateTime(at)).toBe('15 Rhagfyr 2026, 03:30')
    expect(cy.weekday(at)).toBe('Dydd Mawrth, 15 Rhagfyr 2026')
    expect(cy.shortDate('2026-02-03T12:00:00Z')).toBe('3 Chwef 2026')
  })

  test('leave out the current year', () => {
    expect(fr.day(at, now)).toBe('14 décembre')
    expect(fr.day('2027-03-01T12:00:00Z', now)).toBe('1er mars 2027')
  })

  test('are shown only as precisely as known, with seasons of the right hemisphere', () => {
    expect(en.precisely(at, 'month')).toBe('December 2026')
    expect(cy.precisely(at, 'month')).toBe('Rhagfyr 2026')
    expect([en, fr, cy, sydney].map((format) => format.precisely('2026-10-10T12:00:00Z', 'season'))).toEqual([
      'Fall 2026',
      'Automne 2026',
      'Hydref 2026',
      'Spring 2026',
    ])
    expect(en.precisely(at, 'time')).toBe('14 December 2026, 10:30\u00a0p.m.')
  })
})

test('a time of day is written as the language writes it, whatever the zone of the site', () => {
  expect([en, fr, cy, sydney].map((format) => format.clock('14:30'))).toEqual([
    '2:30\u00a0p.m.',
    '14\u00a0h\u00a030',
    '14:30',
    '2:30\u00a0pm',
  ])
})

describe('time from now', () => {
  test("counts the site's calendar days", () => {
    expect(en.daysUntil(at, now)).toBe(9)
    expect(en.relative(at, now)).toBe('in 9 days')
    expect(fr.relative(at, now)).toBe('dans 9 jours')
    expect(cy.relative(at, now)).toBe('ymhen 10 diwrnod')
    expect(en.relative('2026-12-06T15:00:00Z', now)).toBe('tomorrow')
    expect(en.relative('2026-12-05T21:00:00Z', now)).toBe('in 3 hours')
    expect(fr.relative('2026-11-14T15:00:00Z', now)).toBe('il y a 3 semaines')
  })

  test('mutates Welsh nouns after numbers', () => {
    const inDays = (days: number) => cy.relative(Date.parse(now) + days * 86_400_000, now)
    expect(inDays(2)).toBe('ymhen 2 ddiwrnod')
    expect(inDays(3)).toBe('ymhen 3 diwrnod')
    expect(inDays(-1)).toBe('ddoe')
    expect(inDays(62)).toBe('ymhen 2 fis')
    expect(inDays(-2 * 366)).toBe('2 flynedd yn ôl')
    expect(inDays(5.2 * 366)).toBe('ymhen 5 mlynedd')
  })
})

test('numbers, percentages, sizes and lists follow the language', () => {
  expect([en, fr, cy].map((format) => format.number(18402))).toEqual(['18,402', '18\u00a0402', '18,402'])
  expect([en, fr].map((format) => format.percent(0.424))).toEqual(['42%', '42\u00a0%'])
  expect([en, fr, cy].map((format) => format.bytes(2_440_000))).toEqual(['2.4 MB', '2,4\u00a0Mo', '2.4 MB'])
  expect(fr.list(['un', 'deux', 'trois'])).toBe('un, deux et trois')
  expect(cy.list(['Llanfair', 'Aberwen'])).toBe('Llanfair ac Aberwen')
  expect(cy.list(['Aberwen', 'Llanfair'])).toBe('Aberwen a Llanfair')
})
