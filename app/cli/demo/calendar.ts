import { getFormatter } from '#app/lib/format.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'

const DAY_MS = 86_400_000
const clocks = new Map<string, Intl.DateTimeFormat>()

/** Days and hours in one time zone, relative to `now`. */
export interface Calendar {
  now: Date
  /** The instant at `hour` o'clock, site time, `days` from today. */
  at(days: number, hour: number, minute?: number): Date
  /** 0 for Sunday to 6 for Saturday. */
  weekday(days: number): number
  /** Replaces date placeholders in a text, in each language. */
  fill(text: Translated): Translated
}

export function createCalendar(now: Date, timeZone: string): Calendar {
  const today = toWallClock(now, timeZone)
  const midnight = Date.UTC(today.year, today.month - 1, today.day)
  const at = (days: number, hour: number, minute = 0): Date => {
    const wall = midnight + days * DAY_MS + (hour * 60 + minute) * 60_000
    const guess = wall - computeOffset(new Date(wall), timeZone)
    return new Date(wall - computeOffset(new Date(guess), timeZone))
  }
  const fillOne = (text: string, language: Language): string =>
    text.replace(/\{(date|month|year):([+-]\d+)\}/g, (_, what: string, amount: string) => {
      const days = Number(amount)
      if (what === 'year') return String(today.year + days)
      const day = at(days, 12)
      return what === 'month' ? formatMonth(day, timeZone, language) : getFormatter({ language, timeZone }).day(day, day)
    })
  return {
    now,
    at,
    weekday: (days) => new Date(midnight + days * DAY_MS).getUTCDay(),
    fill: (text) =>
      Object.fromEntries((Object.entries(text) as [Language, string][]).map(([language, words]) => [language, fillOne(words, language)])),
  }
}

const formatMonth = (at: Date, timeZone: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { month: 'long', timeZone }).format(at)

function toWallClock(at: Date, timeZone: string): Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number> {
  let clock = clocks.get(timeZone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    clocks.set(timeZone, clock)
  }
  const parts = new Map(clock.formatToParts(at).map((part) => [part.type, Number(part.value)]))
  const readPart = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
  return {
    year: readPart('year'),
    month: readPart('month'),
    day: readPart('day'),
    hour: readPart('hour'),
    minute: readPart('minute'),
    second: readPart('second'),
  }
}

/** The zone's offset from UTC at an instant, in milliseconds. */
function computeOffset(at: Date, timeZone: string): number {
  const wall = toWallClock(at, timeZone)
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second) - Math.floor(at.getTime() / 1000) * 1000
}
