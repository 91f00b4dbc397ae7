import { expect, test } from 'vitest'
import type { Translated } from '#app/lib/translated.ts'
import { createCalendar } from './calendar.ts'

const calendar = createCalendar(new Date('2026-11-27T12:00:00Z'), 'Europe/London')
const writeDates = (texts: Translated) => calendar.fill(texts)

test('dates in texts are in the order of each language', () => {
  expect(writeDates({ en: 'on {date:+29}', 'fr-CA': 'le {date:+4}', cy: 'ar {date:+29}' })).toEqual({
    en: 'on 26 December',
    'fr-CA': 'le 1er décembre',
    cy: 'ar 26 Rhagfyr',
  })
  expect(writeDates({ en: '{month:+29} {year:+1}', 'fr-CA': '{month:+29}', cy: '{month:+29}' })).toEqual({
    en: 'December 2027',
    'fr-CA': 'décembre',
    cy: 'Rhagfyr',
  })
})
