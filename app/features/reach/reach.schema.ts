import type { ContentLanguage } from '#app/lib/languages.ts'

/** Where a visitor came from. `site` is any other website; `direct` is a typed, bookmarked or scanned address. */
export const REACH_SOURCES = ['direct', 'search', 'social', 'email', 'campaign', 'site'] as const
export type ReachSource = (typeof REACH_SOURCES)[number]

/** Number of days, today included. */
export const REACH_DAYS = [30, 90, 365] as const
export type ReachLength = (typeof REACH_DAYS)[number]

/** What reach is measured for. `site` means the whole site; its `id` is the site's. */
export interface ReachPlace {
  kind: 'site' | 'hub' | 'project'
  id: string
}

/** People, each counted once a day: all visitors, those who looked further, those who took part. */
export interface ReachFigures {
  aware: number
  informed: number
  engaged: number
}

export interface ReachRow extends ReachFigures {
  id: string
  title: string
}

/** What people who took part with an account said to one question about themselves. */
export interface ReachAnswers {
  key: string
  title: string
  /** Age groups in their order, which have no label; other options with the most given first. People to the nearest five; null if so few that they could be recognised. */
  options: { option: string; label: string | null; people: number | null }[]
}

export interface Reach {
  place: ReachPlace & { title: string }
  /** Days in the site's calendar, both inclusive: `2026-11-21`. */
  from: string
  until: string
  totals: ReachFigures
  /** One entry per day, oldest first. */
  days: (ReachFigures & { day: string })[]
  languages: (ReachFigures & { language: ContentLanguage })[]
  /** Visits only: a response is never linked to where somebody came from. */
  sources: { source: ReachSource; aware: number; informed: number }[]
  campaigns: { campaign: string; aware: number; informed: number }[]
  /** People who took part without a counted visit: on paper, by text, on another website, or with a browser that asks not to be counted. */
  uncounted: number
  hubs: ReachRow[]
  topics: ReachRow[]
  /** Most visited first; 500 at most. */
  projects: ReachRow[]
  answers: ReachAnswers[]
}

/** What is shown of a place besides its report. */
export type ReachSummary = Pick<Reach, 'place' | 'totals' | 'days'>
