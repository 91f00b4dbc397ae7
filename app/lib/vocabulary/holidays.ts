/** Whose public holidays a site keeps. `ca`: the days that every province and territory has. */
export const HOLIDAY_CALENDARS = [
  'none',
  'uk-england-wales',
  'uk-scotland',
  'uk-northern-ireland',
  'ca',
  'ca-ab',
  'ca-bc',
  'ca-mb',
  'ca-nb',
  'ca-nl',
  'ca-ns',
  'ca-nt',
  'ca-nu',
  'ca-on',
  'ca-pe',
  'ca-qc',
  'ca-sk',
  'ca-yt',
] as const
export type HolidayCalendar = (typeof HOLIDAY_CALENDARS)[number]
