import type { Language } from './languages.ts'
import { toLocaleTag } from './locale-tag.ts'
import {
  type RelativeUnit,
  WELSH_MONTHS,
  WELSH_SHORT_MONTHS,
  WELSH_WEEKDAYS,
  formatWelshList,
  formatWelshRelative,
} from './welsh-format.ts'

/**
 * Dates, numbers and lists as a person reads them: in the page's language, in the site's time zone, the same on the server and in
 * every browser. Nothing here reads the clock: `now` is a parameter, so that both sides render a page alike.
 *
 * ```ts
 * const format = getFormatter({ language: 'fr-CA', timeZone: 'America/Toronto', region: 'Canada' })
 * format.day(project.closesAt, now)   // 14 décembre
 * format.number(18402)                // 18 402
 * ```
 */
export interface FormatSettings {
  language: Language
  /** The site's IANA time zone. */
  timeZone: string
  /** The site's region, e.g. `Canada`: English differs by region. */
  region?: string
}

export type Instant = Date | string | number
export const DATE_PRECISIONS = ['time', 'day', 'month', 'season'] as const
export type DatePrecision = (typeof DATE_PRECISIONS)[number]

const SOUTHERN_REGIONS = /Australia|Sydney|New Zealand/

type Seasons = readonly [string, string, string, string]

/** Starting with winter, for the northern hemisphere. */
const SEASONS: Record<Language, Seasons> = {
  en: ['Winter', 'Spring', 'Summer', 'Autumn'],
  'fr-CA': ['Hiver', 'Printemps', 'Été', 'Automne'],
  cy: ['Gaeaf', 'Gwanwyn', 'Haf', 'Hydref'],
}

export interface Formatter {
  /** After a label: with a space before it in French. */
  colon: string
  /** 18,402 */
  number(value: number): string
  /** 42% */
  percent(share: number): string
  /** 2.4 MB */
  bytes(size: number): string
  /** One, two and three. */
  list(items: readonly string[]): string
  /** 14 December 2026 */
  date(at: Instant): string
  /** 14 December, with the year only if it is not the current one. */
  day(at: Instant, now: Instant): string
  /** Monday 14 December 2026 */
  weekday(at: Instant): string
  /** 14 Dec 2026, for tables. */
  shortDate(at: Instant): string
  /** 15:30, or 3:30 p.m. where people write it that way. */
  time(at: Instant): string
  /** As `time`, for a time of day that belongs to no date or time zone. @param time as `15:30` */
  clock(time: string): string
  /** 14 December 2026, 15:30 */
  dateTime(at: Instant): string
  /** December 2026 */
  month(at: Instant): string
  /** Only as precisely as known: a time, a day, a month or a season. */
  precisely(at: Instant, precision: DatePrecision): string
  /** In 9 days, yesterday, 3 weeks ago: from one day on, counted in the site's calendar days. */
  relative(at: Instant, now: Instant): string
  /** Days from `now` to `at` on the site's calendar: 0 today, 1 tomorrow, -1 yesterday. */
  daysUntil(at: Instant, now: Instant): number
}

/** What stands between a label and its value. */
export const getColon = (language: Language): string => (language === 'fr-CA' ? '\u00a0: ' : ': ')

const formatterCache = new Map<string, Formatter>()

/** Cached, because `Intl` objects are expensive to create: call it wherever you need a formatter. */
export function getFormatter(settings: FormatSettings): Formatter {
  const key = JSON.stringify(settings)
  const known = formatterCache.get(key)
  if (known) return known
  if (formatterCache.size > 500) formatterCache.clear()
  const fresh = makeFormatter(settings)
  formatterCache.set(key, fresh)
  return fresh
}

function makeFormatter({ language, timeZone, region = '' }: FormatSettings): Formatter {
  const locale = language === 'en' ? toLocaleTag('en', region) : language === 'cy' ? 'en-GB' : language
  const number = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' })
  const relatives = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const dateLocale = locale === 'en-CA' ? 'en-GB' : locale // Canadian public bodies write the day first too: 14 December 2026
  const createLocalDateFormat = (options: Intl.DateTimeFormatOptions) => createDateFormat(dateLocale, { ...options, timeZone }, language)
  const dayAndYear = { day: 'numeric', year: 'numeric' } as const
  const long = createLocalDateFormat({ ...dayAndYear, month: 'long' })
  const withoutYear = createLocalDateFormat({ day: 'numeric', month: 'long' })
  const withWeekday = createLocalDateFormat({ ...dayAndYear, weekday: 'long', month: 'long' })
  const short = createLocalDateFormat({ ...dayAndYear, month: 'short' })
  const hours = createDateFormat(locale, { hour: locale === 'en-GB' ? '2-digit' : 'numeric', minute: '2-digit', timeZone }, language)
  const formatTime = (at: Instant) => hours(at).replaceAll(' ', '\u00a0')
  const monthYear = createLocalDateFormat({ month: 'long', year: 'numeric' })
  const calendar = new Intl.DateTimeFormat('en-GB', { timeZone })

  const toCalendarDay = (at: Instant): { year: number; month: number; dayNumber: number } => {
    const parts = Object.fromEntries(calendar.formatToParts(toDate(at)).map((part) => [part.type, Number(part.value)]))
    const { year = 0, month = 1, day = 1 } = parts
    return { year, month, dayNumber: Date.UTC(year, month - 1, day) / DAY }
  }
  const daysUntil = (at: Instant, now: Instant) => toCalendarDay(at).dayNumber - toCalendarDay(now).dayNumber
  const formatSeason = (at: Instant) => {
    const { year, month } = toCalendarDay(at)
    const quarter = Math.floor((month % 12) / 3)
    const season = SEASONS[language][SOUTHERN_REGIONS.test(region) ? (quarter + 2) % 4 : quarter] ?? ''
    return `${season === 'Autumn' && /CA|US/.test(locale) ? 'Fall' : season} ${year}`
  }
  const dateTime = (at: Instant) => `${long(at)}, ${formatTime(at)}`

  return {
    colon: getColon(language),
    number: (value) => normaliseSpaces(number.format(value)),
    percent: (share) => normaliseSpaces(percent.format(share)),
    bytes: (size) => normaliseSpaces(formatBytes(size, locale)),
    list: (items) => (language === 'cy' ? formatWelshList(items) : normaliseSpaces(lists.format(items))),
    date: long,
    day: (at, now) => (toCalendarDay(at).year === toCalendarDay(now).year ? withoutYear(at) : long(at)),
    weekday: withWeekday,
    shortDate: short,
    time: formatTime,
    clock: (time) => getFormatter({ language, timeZone: 'UTC', region }).time(`2000-01-01T${time}Z`),
    dateTime,
    month: monthYear,
    precisely: (at, precision) => ({ time: dateTime, day: long, month: monthYear, season: formatSeason })[precision](at),
    relative: (at, now) => {
      const [amount, unit] = chooseUnit(toDate(at).getTime() - toDate(now).getTime(), daysUntil(at, now))
      return language === 'cy' ? formatWelshRelative(amount, unit) : normaliseSpaces(relatives.format(amount, unit))
    },
    daysUntil,
  }
}

const DAY = 86_400_000

/** The largest unit that is still precise enough: minutes and hours within a day, then days, weeks, months and years. */
function chooseUnit(milliseconds: number, days: number): [amount: number, unit: RelativeUnit] {
  const minutes = Math.trunc(milliseconds / 60_000)
  if (Math.abs(minutes) < 60) return [minutes || 0, 'minute']
  if (days === 0 || Math.abs(minutes) < 12 * 60) return [Math.trunc(minutes / 60), 'hour']
  const far = Math.abs(days)
  if (far < 14) return [days, 'day']
  if (far < 60) return [Math.trunc(days / 7), 'week']
  if (far < 730) return [Math.trunc(days / 30.44), 'month']
  return [Math.trunc(days / 365.25), 'year']
}

function formatBytes(size: number, locale: string): string {
  const [amount, unit] = size < 1000 ? [size, 'byte'] : size < 1_000_000 ? [size / 1000, 'kilobyte'] : [size / 1_000_000, 'megabyte']
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    maximumFractionDigits: amount < 10 && unit === 'megabyte' ? 1 : 0,
  }).format(amount)
}

const toDate = (at: Instant): Date => (at instanceof Date ? at : new Date(at))

/** Versions of `Intl` differ in the kind of space they insert; without this, hydration would change the page. */
const normaliseSpaces = (text: string): string => text.replace(/[\u202f\u2009]/g, '\u00a0')

function createDateFormat(locale: string, options: Intl.DateTimeFormatOptions, language: Language): (at: Instant) => string {
  const format = new Intl.DateTimeFormat(locale, options)
  const word = PART_REPLACERS[language]?.(options)
  if (!word) return (at) => normaliseSpaces(format.format(toDate(at)))
  return (at) => {
    const when = toDate(at)
    return normaliseSpaces(
      format
        .formatToParts(when)
        .map((part) => word(part, when) ?? part.value)
        .join(''),
    )
  }
}

type PartReplacer = (part: Intl.DateTimeFormatPart, when: Date) => string | undefined

/** In French, the first of a month is an ordinal: 1er mars. */
const createFrenchReplacer =
  (): PartReplacer =>
  ({ type, value }) =>
    type === 'day' && value === '1' ? '1er' : undefined

function createWelshReplacer({ timeZone, month }: Intl.DateTimeFormatOptions): PartReplacer {
  const monthNumber = new Intl.DateTimeFormat('en-GB', { month: 'numeric', timeZone })
  const weekdayName = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone })
  const months = month === 'short' ? WELSH_SHORT_MONTHS : WELSH_MONTHS
  return ({ type }, when) => {
    if (type === 'month') return months[Number(monthNumber.format(when)) - 1]
    return type === 'weekday' ? WELSH_WEEKDAYS[ENGLISH_WEEKDAYS.indexOf(weekdayName.format(when))] : undefined
  }
}

/** Languages whose dates need more than `Intl` knows. */
const PART_REPLACERS: Partial<Record<Language, (options: Intl.DateTimeFormatOptions) => PartReplacer>> = {
  'fr-CA': createFrenchReplacer,
  cy: createWelshReplacer,
}

const ENGLISH_WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
