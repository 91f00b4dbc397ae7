import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'

/**
 * How a column's values are read and shown. `number` in the reader's locale, `year` without grouping, `date` a day, `moment` a time,
 * `place` a point on the map as [longitude, latitude].
 */
export const COLUMN_TYPES = ['text', 'number', 'year', 'date', 'moment', 'yes-no', 'link', 'place'] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

/** Types whose cells are aligned by digit. */
export const NUMERIC_TYPES: ReadonlySet<ColumnType> = new Set<ColumnType>(['number', 'year'])

/** A stored table value: a day as YYYY-MM-DD, a moment as ISO 8601 in UTC. A value that does not fit its column's type stays text. */
export type Cell = string | number | boolean | null | [longitude: number, latitude: number]

export interface DatasetColumn {
  /** The portal's name for it. */
  key: string
  type: ColumnType
  /** What people see, in each language; falls back to the key. */
  name: Translated
  shown: boolean
}

/** A column of a stored copy; cells are in this order. */
export type CopiedColumn = Pick<DatasetColumn, 'key' | 'type'>

export const CHART_FORMS = ['bar', 'line'] as const
/** The charted columns: one for labels, one for values. */
export interface DatasetChart {
  form: (typeof CHART_FORMS)[number]
  label: string
  values: string
}

/** The dataset's shapes are the site's areas. */
export interface Boundaries {
  /** The column with each area's name. */
  name: string
  /** The column with postcodes or postcode prefixes. */
  postcodes?: string | undefined
}

export interface RowFilter {
  key: string
  value: string
}

/**
 * What can depend on a dataset: a page with a block of it, a saved section, a project that shows its figures, a project in one of its
 * areas. For a connector also its datasets.
 */
export const USE_KINDS = [
  'dataset',
  'homepage',
  'hub-page',
  'section',
  'project-page',
  'project-area',
  'newsletter',
  'sms-campaign',
] as const
export interface DataUse {
  kind: (typeof USE_KINDS)[number]
  /** Id of the thing that uses it. */
  id: string
  /** In the reader's language; null for the site's homepage. */
  title: string
}

/** Limits of one copy. */
export const MAX_ROWS = 1_000_000
export const MAX_COLUMNS = 200
export const MAX_CELL_LENGTH = 20_000
/** Sorting, searching and summing read every row of a table; for larger tables this is done once per copy. */
export const MAX_SORTED_ROWS = 100_000
export const ROWS_PER_PAGE = 25

/** What people are told about a portal: codes of the error catalogue. */
export const PORTAL_FAULTS = [
  'portal-address-refused',
  'portal-unknown-host',
  'portal-unreachable',
  'portal-insecure',
  'portal-redirects',
  'portal-too-slow',
  'portal-too-large',
  'portal-too-many-rows',
  'portal-cell-too-large',
  'portal-refused',
  'portal-missing',
  'portal-busy',
  'portal-down',
  'portal-not-understood',
  'portal-unknown-kind',
  'portal-columns-changed',
  'portal-endless',
] as const
export type PortalFaultCode = (typeof PORTAL_FAULTS)[number]

/** A dataset of a portal's catalogue. */
export interface FoundDataset {
  /** The portal's id for it. */
  id: string
  title: string
  description: string
  licence: string
  /** ISO 8601, if the portal says. */
  updatedAt: string | null
  rows: number | null
}

export interface FoundDatasets {
  datasets: FoundDataset[]
  total: number
  /** What is not among the found, and why. */
  leftOut?: {
    /** Counted in the whole catalogue, whatever was searched for, or among what the portal found for this page. */
    of: 'catalogue' | 'page'
    /** They have no file that we can read as a table. */
    withoutTable: number
    /** They are on pages of the catalogue beyond the most that we read; null if it does not say how many. */
    beyond: number | null
    /** The portal does not let us see them. */
    refused?: number
  }
}

/** Everything a portal says about a dataset, before its rows are copied. */
export interface DatasetFacts extends FoundDataset {
  licenceUrl: string | null
  publisher: string
  /** The source's page about it for people. */
  page: string | null
  language: ContentLanguage | null
  columns: { key: string; label: string; type: ColumnType }[]
}
