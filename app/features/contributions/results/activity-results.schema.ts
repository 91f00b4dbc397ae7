import type { OutcomeView } from '#app/features/outcomes/outcomes.schema.ts'
import type { Spot } from '#app/lib/map-picture.ts'
import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { ContributionSource, ContributionState, FieldAudience } from '#app/lib/vocabulary/contributions.ts'
import type { MapPictureView } from '../record/places.schema.ts'

/** Squares of the map are this large, in degrees, as those of surveys. */
export const SQUARE_DEGREES = { lng: 0.01, lat: 0.005 }

/** How many contributions. */
export interface ResultLine {
  id: string
  name: string
  count: SuppressibleCount
}

export interface ResultSquare {
  /** South-west and north-east corner in the picture; null if the site has no map. */
  corners: readonly [Spot, Spot] | null
  /** Its middle. */
  lng: number
  lat: number
  area: string
  count: number
  people: number
}

/** Contributions with places, by the squares of a map. */
export interface PlaceSquares {
  /** Null if the site has no map. */
  picture: MapPictureView | null
  squares: ResultSquare[]
  /** Contributions with a place, and how many of them are in the squares. */
  placed: number
  shown: number
}

/** What contributions answered to an extra question. */
export interface AnswerCounts {
  id: string
  title: LocalisedText
  shownTo: FieldAudience
  /** It is no longer asked. */
  isArchived: boolean
  /** A contribution may name several options. */
  isSeveral: boolean
  /** How many answered it. */
  answered: SuppressibleCount
  /** Options, yes and no, months, numbers or ranges of numbers. */
  lines: ResultLine[]
  /** Further answers are not even named, since that would reveal something. */
  hasUnlisted: boolean
  /** Of numbers. */
  mean: number | null
  median: number | null
}

export interface ActivityResults {
  activity: { id: string; title: LocalisedText; slug: string; projectId: string }
  /** Address of the form in which the viewer enters what came on paper or in another way; null if they may not. */
  entryPath: string | null
  /** Every contribution by its state. */
  states: { state: ContributionState; count: number }[]
  /** What everyone can read: published and merged ones. All other figures are about these. */
  total: number
  supports: number
  /** Null if people were not asked whether they agree. */
  disagrees: number | null
  replies: number
  /** Calendar days of the site on which they were sent. */
  days: { day: string; count: number }[]
  categories: ResultLine[]
  areas: ResultLine[]
  statuses: ResultLine[]
  sources: (Omit<ResultLine, 'name'> & { id: ContributionSource })[]
  /** Of extra questions that are no text, in their order. */
  answers: AnswerCounts[]
  supported: { id: string; number: number; title: string; language: string; supports: number; disagrees: number }[]
  answered: { count: number; medianDays: number | null }
  /** Null if contributions have no places. */
  map: PlaceSquares | null
  /** What changed because of what people wrote here. */
  outcomes: OutcomeView[]
  /** Small groups are left out, since the viewer may not see personal data. */
  isSuppressed: boolean
  mayExportPersonal: boolean
}
