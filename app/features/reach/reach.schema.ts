import type { Language } from '#app/lib/languages.ts'

/** Where a visitor came from. `site` is any other site; `direct` an address that was typed, kept or scanned. */
export const REACH_SOURCES = ['direct', 'search', 'social', 'email', 'campaign', 'site'] as const
export type ReachSource = (typeof REACH_SOURCES)[number]

/** For how many days, today included. */
export const REACH_DAYS = [30, 90, 365] as const
export type ReachLength = (typeof REACH_DAYS)[number]

/** What reach is told of. The site's own stands for all of it; `id` is then the site's. */
export interface ReachPlace {
  kind: 'site' | 'hub' | 'project'
  id: string
}

/** People, counted once a day each: who visited, who of them looked further, who of them took part. */
export interface ReachFigures {
  aware: number
  informed: number
  engaged: number
}

export interface ReachRow extends ReachFigures {
  id: string
  title: string
}

export interface Reach {
  place: ReachPlace & { title: string }
  /** Days of the site's calendar, both included: `2026-11-21`. */
  from: string
  until: string
  totals: ReachFigures
  /** One entry for each day, oldest first. */
  days: (ReachFigures & { day: string })[]
  languages: (ReachFigures & { language: Language })[]
  /** Visits alone: an answer is never tied to where somebody came from. */
  sources: { source: ReachSource; aware: number; informed: number }[]
  campaigns: { campaign: string; aware: number; informed: number }[]
  /** People who took part without a visit that was counted: on paper, by text, in another page, or with a browser that asks not to be counted. */
  uncounted: number
  hubs: ReachRow[]
  topics: ReachRow[]
  /** The most visited first; 500 at most. */
  projects: ReachRow[]
  /** Other places whose reach the viewer may see. */
  places: (ReachPlace & { title: string })[]
}
