import type { DatePrecision } from '#app/lib/format.ts'

/** What a date belongs to. People filter the calendar by it. */
export const DATE_KINDS = [
  'project',
  'stage',
  'key-date',
  'event',
  'survey',
  'activity',
  'budget',
  'update',
  'newsletter',
  'text',
  'decision',
  'task',
  'question',
  'moderation',
] as const
export type DateKind = (typeof DATE_KINDS)[number]

/** What happens on it. */
export const DATE_EVENTS = ['opens', 'closes', 'happens', 'published', 'sent', 'promised', 'due'] as const
export type DateEvent = (typeof DATE_EVENTS)[number]

export interface CalendarEntry {
  /** The same each time it is read: `survey-opens-0198…`. */
  id: string
  kind: DateKind
  event: DateEvent
  /** In the reader's language; empty where an entry stands for several texts of a day. */
  title: string
  /** For how many texts it stands; null if it is about one thing. */
  count: number | null
  /** Null for messages to a whole site or department. */
  project: { id: string; title: string } | null
  /** In the site's calendar: `2026-12-03`. */
  day: string
  /** An ISO timestamp; null if it is about whole days. */
  at: string | null
  precision: DatePrecision
  /** Where the viewer acts on it, without the language. */
  path: string
  /** It should have been done by now. */
  isLate: boolean
}

export interface CalendarMonth {
  /** `2026-12`. */
  month: string
  /** Today, in the site's calendar. */
  today: string
  entries: CalendarEntry[]
  /** There are more than are listed. */
  isCut: boolean
}
