import type { HolidayCalendar } from './vocabulary/holidays.ts'

/** What a holiday of the United Kingdom is called. */
export const HOLIDAY_NAMES = [
  'new-year',
  'january-2',
  'st-patrick',
  'good-friday',
  'easter-monday',
  'early-may',
  'spring',
  'july-12',
  'summer',
  'st-andrew',
  'christmas',
  'boxing-day',
] as const
export type HolidayName = (typeof HOLIDAY_NAMES)[number]

export interface NamedHoliday {
  /** `2026-12-25` */
  day: string
  /** Undefined for holidays of other countries only. */
  name: HolidayName | undefined
}

interface Holiday {
  /** Names of calendars, or beginnings of names. */
  in: readonly string[]
  /** @returns undefined in years without it */
  find: (year: number) => Date | undefined
  name?: HolidayName
}

const DAY_MS = 86_400_000
const MONDAY = 1
const FRIDAY = 5

const createDay = (year: number, month: number, day: number): Date => new Date(Date.UTC(year, month - 1, day))
const addDays = (day: Date, days: number): Date => new Date(day.getTime() + days * DAY_MS)
const formatDay = (day: Date): string => day.toISOString().slice(0, 10)
const isWeekend = (day: Date): boolean => day.getUTCDay() < MONDAY || day.getUTCDay() > FRIDAY

const findFixedDay = (month: number, day: number) => (year: number) => createDay(year, month, day)
const findOnce = (date: string) => (year: number) => (date.startsWith(`${year}-`) ? new Date(date) : undefined)

/** The first Monday from a day on. */
const findMondayFrom = (month: number, day: number) => (year: number) => {
  const first = createDay(year, month, day)
  return addDays(first, (MONDAY - first.getUTCDay() + 7) % 7)
}

/** Days from Easter Sunday, by the Gregorian computus (Meeus, Jones and Butcher). */
const findFromEaster = (days: number) => (year: number) => {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  return addDays(createDay(year, Math.floor(sum / 31), (sum % 31) + 1), days)
}

const EVERYWHERE = ['uk-', 'ca']
const MOST_OF_CANADA = ['ca-ab', 'ca-bc', 'ca-mb', 'ca-on', 'ca-qc', 'ca-sk', 'ca-nt', 'ca-nu', 'ca-yt']

/** Bank holidays of the United Kingdom, and statutory holidays of Canada’s provinces and territories. */
const HOLIDAYS: readonly Holiday[] = [
  { in: EVERYWHERE, find: findFixedDay(1, 1), name: 'new-year' },
  { in: ['uk-scotland'], find: findFixedDay(1, 2), name: 'january-2' },
  { in: ['ca-ab', 'ca-bc', 'ca-mb', 'ca-nb', 'ca-ns', 'ca-on', 'ca-pe', 'ca-sk'], find: findMondayFrom(2, 15) },
  { in: ['uk-northern-ireland'], find: findFixedDay(3, 17), name: 'st-patrick' },
  { in: EVERYWHERE, find: findFromEaster(-2), name: 'good-friday' },
  { in: ['uk-england-wales', 'uk-northern-ireland', 'ca-qc'], find: findFromEaster(1), name: 'easter-monday' },
  { in: ['uk-'], find: findMondayFrom(5, 1), name: 'early-may' },
  { in: MOST_OF_CANADA, find: findMondayFrom(5, 18) },
  { in: ['uk-'], find: findMondayFrom(5, 25), name: 'spring' },
  { in: ['uk-scotland'], find: findOnce('2026-06-15') },
  { in: ['ca-nt', 'ca-yt'], find: findFixedDay(6, 21) },
  { in: ['ca-qc'], find: findFixedDay(6, 24) },
  { in: ['ca'], find: findFixedDay(7, 1) },
  { in: ['ca-nu'], find: findFixedDay(7, 9) },
  { in: ['uk-northern-ireland'], find: findFixedDay(7, 12), name: 'july-12' },
  { in: ['uk-scotland', 'ca-bc', 'ca-nb', 'ca-sk', 'ca-nt', 'ca-nu'], find: findMondayFrom(8, 1), name: 'summer' },
  { in: ['ca-yt'], find: findMondayFrom(8, 15) },
  { in: ['uk-england-wales', 'uk-northern-ireland'], find: findMondayFrom(8, 25), name: 'summer' },
  { in: ['ca'], find: findMondayFrom(9, 1) },
  { in: ['ca-bc', 'ca-mb', 'ca-pe', 'ca-nt', 'ca-nu', 'ca-yt'], find: findFixedDay(9, 30) },
  { in: MOST_OF_CANADA, find: findMondayFrom(10, 8) },
  { in: ['ca-ab', 'ca-bc', 'ca-nb', 'ca-nl', 'ca-ns', 'ca-pe', 'ca-sk', 'ca-nt', 'ca-nu', 'ca-yt'], find: findFixedDay(11, 11) },
  { in: ['uk-scotland'], find: findFixedDay(11, 30), name: 'st-andrew' },
  { in: EVERYWHERE, find: findFixedDay(12, 25), name: 'christmas' },
  { in: ['uk-', 'ca-on'], find: findFixedDay(12, 26), name: 'boxing-day' },
]

/** Days that are no working days, in order: what falls on a weekend is kept on the next day that would be one. */
export function listNamedHolidays(calendar: HolidayCalendar, year: number): NamedHoliday[] {
  const found = HOLIDAYS.filter((holiday) => holiday.in.some((start) => calendar.startsWith(start))).flatMap(({ find, name }) => {
    const day = find(year)
    return day ? [{ day, name }] : []
  })
  const kept = new Map(found.filter(({ day }) => !isWeekend(day)).map(({ day, name }) => [formatDay(day), name]))
  for (const { day, name } of found.filter((holiday) => isWeekend(holiday.day))) {
    let substitute = day
    while (isWeekend(substitute) || kept.has(formatDay(substitute))) substitute = addDays(substitute, 1)
    kept.set(formatDay(substitute), name)
  }
  return [...kept].map(([day, name]) => ({ day, name })).toSorted((one, other) => (one.day < other.day ? -1 : 1))
}

/** The same without names. */
export const listPublicHolidays = (calendar: HolidayCalendar, year: number): string[] =>
  listNamedHolidays(calendar, year).map(({ day }) => day)

/** The calendar that a new site starts with. */
export function chooseHolidays(region: string): HolidayCalendar {
  if (region === 'United Kingdom') return 'uk-england-wales'
  return region === 'Canada' ? 'ca' : 'none'
}
