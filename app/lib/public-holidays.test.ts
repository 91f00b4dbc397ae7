import { describe, expect, test } from 'vitest'
import { listPublicHolidays } from './public-holidays.ts'

/** Sources: gov.uk/bank-holidays, and the employment standards of each province; Nova Scotia keeps 11 November by an act of its own. */
describe.each([
  ['uk-england-wales', 2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
  ['uk-england-wales', 2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
  ['uk-england-wales', 2028, '01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26'],
  ['uk-scotland', 2026, '01-01 01-02 04-03 05-04 05-25 06-15 08-03 11-30 12-25 12-28'],
  ['uk-scotland', 2027, '01-01 01-04 03-26 05-03 05-31 08-02 11-30 12-27 12-28'],
  ['uk-scotland', 2028, '01-03 01-04 04-14 05-01 05-29 08-07 11-30 12-25 12-26'],
  ['uk-northern-ireland', 2026, '01-01 03-17 04-03 04-06 05-04 05-25 07-13 08-31 12-25 12-28'],
  ['uk-northern-ireland', 2027, '01-01 03-17 03-26 03-29 05-03 05-31 07-12 08-30 12-27 12-28'],
  ['ca', 2026, '01-01 04-03 07-01 09-07 12-25'],
  ['ca-on', 2026, '01-01 02-16 04-03 05-18 07-01 09-07 10-12 12-25 12-28'],
  ['ca-qc', 2026, '01-01 04-03 04-06 05-18 06-24 07-01 09-07 10-12 12-25'],
  ['ca-bc', 2026, '01-01 02-16 04-03 05-18 07-01 08-03 09-07 09-30 10-12 11-11 12-25'],
  ['ca-ns', 2026, '01-01 02-16 04-03 07-01 09-07 11-11 12-25'],
  ['none', 2026, ''],
] as const)('%s in %i', (calendar, year, expected) => {
  test(`keeps ${expected || 'no days'}`, () => {
    expect(listPublicHolidays(calendar, year)).toEqual(expected ? expected.split(' ').map((day) => `${year}-${day}`) : [])
  })
})
