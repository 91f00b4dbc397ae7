import { omitUndefined, readTextParam, readIntegerParam } from '#app/lib/search-params.ts'
import type { MapPicture, Spot } from '#app/lib/map-picture.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { Cell, ColumnType } from './opencities.schema.ts'

/** The query parameters of a dataset's page: search words, sort column (`c2`, or `-c2` for descending) and page. */
export interface DatasetSearch {
  q?: string
  sort?: string
  page?: number
}

/** Parses the parameters of a dataset's page; invalid ones are dropped. */
export const readDatasetSearch = ({ q, sort, page }: Record<string, unknown>): DatasetSearch =>
  omitUndefined({
    q: readTextParam(q, 100),
    sort: typeof sort === 'string' && /^-?c\d{1,3}$/.test(sort) ? sort : undefined,
    page: readIntegerParam(page, 2, 100_000),
  })

/** A dataset in a list. Timestamps are ISO 8601. */
export interface DatasetTeaser {
  id: string
  slug: string
  title: LocalisedText
  description: LocalisedText
  project: { slug: string; title: LocalisedText } | null
  rows: number
  publisher: string
  licence: string
  licenceUrl: string | null
  sourceUrl: string | null
  synchronisedAt: string
  /** It can no longer be updated. */
  failing: boolean
}

/** Results of a consultation that anybody may download. */
export interface OpenResultTeaser {
  project: string
  survey: string
  title: LocalisedText
  updatedAt: string | null
}

export interface ColumnView {
  /** The column's name in the address. */
  id: string
  name: LocalisedText
  type: ColumnType
}

export interface ChartView {
  form: 'bar' | 'line'
  label: ColumnView
  values: ColumnView
  points: { label: Cell; value: number }[]
  /** How many points are not drawn. */
  more: number
}

/** Points above the site's areas, as far as they are in sight. */
export interface MapView {
  background: MapPicture
  /** Every drawn point. */
  points: Spot[]
  /** The point of each row on the current page, if it has one. */
  ofRows: (Spot | null)[]
}

/** Two columns as a chart, with all values formatted. */
export interface DrawnChart {
  form: 'bar' | 'line'
  title: string
  label: string
  values: string
  points: { name: string; value: number; counted: string }[]
}

/** The first places of a dataset, numbered from 1, among all of its points. */
export interface DrawnMap {
  form: 'map'
  background: MapPicture
  points: Spot[]
  places: { point: Spot; name: string }[]
}

export interface DrawnTable {
  form: 'table'
  columns: { name: LocalisedText; numeric: boolean }[]
  rows: string[][]
}

export const FIGURE_FORMS = ['chart', 'map', 'table'] as const
export type FigureForm = (typeof FIGURE_FORMS)[number]

/** A dataset shown next to other content: one drawing or its first rows, always with its source, all values formatted. */
export interface DatasetFigure {
  slug: string
  title: LocalisedText
  description: LocalisedText
  facts: { term: string; text: string; href: string | null }[]
  /** The notice that the source can no longer be reached. */
  stale: string | null
  drawing: DrawnChart | DrawnMap | DrawnTable
  words: { bar: string; figures: string; places: string; whole: string }
}

export interface DatasetView extends DatasetTeaser {
  /** When the source itself last changed, if it says so. */
  sourceUpdatedAt: string | null
  /** When the source was last found to match this copy. */
  checkedAt: string
  columns: ColumnView[]
  table: Cell[][]
  /** Number of matching rows. */
  total: number
  page: number
  pages: number
  search: DatasetSearch
  chart: ChartView | null
  map: MapView | null
  now: string
}
