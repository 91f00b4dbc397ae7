import { describe, expect, test } from 'vitest'
import { chooseDuties, checkDuties, type DutyFacts, findMissingDuties } from './duties.schema.ts'
import { countOpenDays } from './open-days.server.ts'

const MET: DutyFacts = {
  openToChange: 'The timetable',
  notOpen: 'The budget',
  reasons: 'The contract ends',
  equality: 'Older people',
  welshEffects: 'More evenings in Welsh',
  asksEffects: true,
  asksImprovements: true,
  documents: 1,
  daysOpen: 42,
  decisions: 1,
  texts: 3,
  textsRead: 3,
}
const listMissing = (facts: Partial<DutyFacts>) => findMissingDuties('decisions', 'gunning-welsh', { ...MET, ...facts }, 42)

describe('the duties of a consultation', () => {
  test('are none, the Gunning principles, or these and the Welsh language', () => {
    expect(checkDuties('none', MET, 42)).toEqual([])
    expect(checkDuties('gunning', MET, 42).map(({ duty }) => duty)).toEqual(['open-to-change', 'reasons', 'time', 'decisions', 'equality'])
    expect(checkDuties('gunning-welsh', MET, 42)).toHaveLength(7)
    expect(listMissing({})).toEqual([])
  })

  test.each([
    ['open-to-change', { openToChange: ' ' }],
    ['open-to-change', { notOpen: '' }],
    ['reasons', { reasons: '' }],
    ['reasons', { documents: 0 }],
    ['time', { daysOpen: 41 }],
    ['time', { daysOpen: null }],
    ['decisions', { decisions: 0 }],
    ['decisions', { textsRead: 2 }],
    ['equality', { equality: '\n' }],
    ['welsh-effects', { welshEffects: '' }],
    ['welsh-questions', { asksEffects: false }],
    ['welsh-questions', { asksImprovements: false }],
  ] as const)('miss %s with %j', (duty, facts) => {
    expect(listMissing(facts)).toEqual([duty])
  })

  test('ask for no decisions before the project is published', () => {
    expect(findMissingDuties('project', 'gunning', { ...MET, decisions: 0, textsRead: 0 }, 42)).toEqual([])
  })

  test('of a new site follow its country and languages', () => {
    expect(chooseDuties('United Kingdom', ['en'])).toBe('gunning')
    expect(chooseDuties('United Kingdom', ['cy', 'en'])).toBe('gunning-welsh')
    expect(chooseDuties('Canada', ['en', 'fr-CA'])).toBe('none')
  })
})

describe('days on which a consultation is open', () => {
  const WALES = { timeZone: 'Europe/London', holidays: 'uk-england-wales' } as const
  const count = (from: string, until: string | null) => countOpenDays(new Date(from), until ? new Date(until) : null, WALES)

  test('are calendar days of the site, the first and the last included', () => {
    expect(count('2026-06-01T08:00:00Z', '2026-06-01T16:00:00Z')?.days).toBe(1)
    expect(count('2026-06-01T08:00:00Z', '2026-06-14T22:59:00Z')?.days).toBe(14)
    // Midnight in summer time: open until the day before.
    expect(count('2026-06-01T08:00:00Z', '2026-06-14T23:00:00Z')?.days).toBe(14)
    // The clocks go back on 25 October.
    expect(count('2026-10-24T08:00:00Z', '2026-10-26T08:00:00Z')?.days).toBe(3)
  })

  test('name the public holidays among them, across the end of a year', () => {
    expect(count('2026-12-20T08:00:00Z', '2027-01-04T08:00:00Z')?.holidays).toEqual([
      { day: '2026-12-25', name: 'christmas' },
      // Boxing Day is a Saturday.
      { day: '2026-12-28', name: 'boxing-day' },
      { day: '2027-01-01', name: 'new-year' },
    ])
    expect(count('2026-06-01T08:00:00Z', '2026-06-14T08:00:00Z')?.holidays).toEqual([])
  })

  test('are unknown without an end, and none if it closes before it opens', () => {
    expect(count('2026-06-01T08:00:00Z', null)).toBeNull()
    expect(count('2026-06-02T08:00:00Z', '2026-06-01T08:00:00Z')?.days).toBe(0)
  })
})
