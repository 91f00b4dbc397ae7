import type { Language } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'

/**
 * Kinds of places data comes from, in the order in which an address is tried: what is easily mistaken for another comes later. `file` is
 * a folder of the product's own under `public/demo`, which needs no network.
 */
export const PORTAL_KINDS = [
  'arcgis',
  'csv',
  'geojson',
  'rss',
  'ckan',
  'socrata',
  'opendatasoft',
  'arcgis-hub',
  'ogc',
  'dcat',
  'json',
  'file',
] as const
export type PortalKind = (typeof PORTAL_KINDS)[number]

/**
 * How the values of a column are read and shown. `number` in the reader's own way, `year` without grouping, `date` a day, `moment` a
 * time, `place` a point on the map as [longitude, latitude].
 */
export const COLUMN_TYPES = ['text', 'number', 'year', 'date', 'moment', 'yes-no', 'link', 'place'] as const
export type ColumnType = (typeof COLUMN_TYPES)[number]

/** Types whose cells stand one below the other by their digits. */
export const NUMERIC_TYPES: ReadonlySet<ColumnType> = new Set<ColumnType>(['number', 'year'])

/** A value of a table as it is kept: a day as YYYY-MM-DD, a moment as ISO 8601 in UTC. What does not fit its type stays text. */
export type Cell = string | number | boolean | null | [longitude: number, latitude: number]

export interface DatasetColumn {
  /** As the portal calls it. */
  key: string
  type: ColumnType
  /** What people see, in each language; the key where there is none. */
  name: Translated
  shown: boolean
}

/** A column of a stored copy: its cells are in this order. */
export type CopiedColumn = Pick<DatasetColumn, 'key' | 'type'>

export const CHART_FORMS = ['bar', 'line'] as const
/** Which columns are drawn: one that names, one that counts. */
export interface DatasetChart {
  form: (typeof CHART_FORMS)[number]
  label: string
  values: string
}

/** The dataset's shapes are the areas of the site. */
export interface Boundaries {
  /** The column that names each. */
  name: string
  /** The column of their postcodes, or of the beginnings of those. */
  postcodes?: string | undefined
}

export interface RowFilter {
  key: string
  value: string
}

/**
 * What shows or holds something of a dataset: a page with a block of it, a kept section, a project whose page has its figures, a project that
 * lies in one of its areas; of a connector its datasets too.
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
  /** Of the thing that uses it. */
  id: string
  /** In the reader's language; the site's homepage has none. */
  title: string
}

/** Limits of one copy. */
export const MAX_ROWS = 1_000_000
export const MAX_COLUMNS = 200
export const MAX_CELL_LENGTH = 20_000
/** Sorting, searching and adding up read every row of a table; for larger ones it is done once for each copy. */
export const MAX_SORTED_ROWS = 100_000
export const ROWS_PER_PAGE = 25

/** What people are told about a portal, each by its code in the catalogue of errors. */
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
  /** As the portal calls it. */
  id: string
  title: string
  description: string
  licence: string
  /** ISO 8601, where the portal says. */
  updatedAt: string | null
  rows: number | null
}

export interface FoundDatasets {
  datasets: FoundDataset[]
  total: number
}

/** Everything a portal says of one dataset, before its rows are taken. */
export interface DatasetFacts extends FoundDataset {
  licenceUrl: string | null
  publisher: string
  /** Where people read about it. */
  page: string | null
  language: Language | null
  columns: { key: string; label: string; type: ColumnType }[]
}
