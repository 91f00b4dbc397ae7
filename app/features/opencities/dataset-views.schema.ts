import { omitUndefined, readTextParam, readIntegerParam } from '#app/lib/search-params.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { Cell, ColumnType } from './opencities.schema.ts'

/** What of a dataset's address is understood: words, the column to sort by (`c2`, `-c2` downwards) and the page. */
export interface DatasetSearch {
  q?: string
  sort?: string
  page?: number
}

/** Reads the parameters of a dataset's page; what is broken is left out. */
export const readDatasetSearch = ({ q, sort, page }: Record<string, unknown>): DatasetSearch =>
  omitUndefined({
    q: readTextParam(q, 100),
    sort: typeof sort === 'string' && /^-?c\d{1,3}$/.test(sort) ? sort : undefined,
    page: readIntegerParam(page, 2, 100_000),
  })

/** A dataset in a list. Instants are ISO 8601. */
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
  /** It can no longer be brought up to date. */
  failing: boolean
}

/** Results of a consultation that anybody may take. */
export interface OpenResultTeaser {
  project: string
  survey: string
  title: LocalisedText
  updatedAt: string | null
}

export interface ColumnView {
  /** As the address names it. */
  id: string
  name: LocalisedText
  type: ColumnType
}

export interface ChartView {
  form: 'bar' | 'line'
  label: ColumnView
  values: ColumnView
  points: { label: Cell; value: number }[]
  /** Points beyond those drawn. */
  more: number
}

export interface MapView {
  /** Every point that is drawn, as [longitude, latitude]. */
  points: [number, number][]
  /** For each row of the page in view its own point, if it has one. */
  ofRows: ([number, number] | null)[]
}

/** Two columns drawn, in words ready to be read. */
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
  points: [number, number][]
  places: { point: [number, number]; name: string }[]
}

export interface DrawnTable {
  form: 'table'
  columns: { name: LocalisedText; numeric: boolean }[]
  rows: string[][]
}

export const FIGURE_FORMS = ['chart', 'map', 'table'] as const
export type FigureForm = (typeof FIGURE_FORMS)[number]

/** A dataset shown beside other things: one drawing of it or its first rows, never without where it comes from; in words ready to be read. */
export interface DatasetFigure {
  slug: string
  title: LocalisedText
  description: LocalisedText
  facts: { term: string; text: string; href: string | null }[]
  /** That the source can no longer be reached. */
  stale: string | null
  drawing: DrawnChart | DrawnMap | DrawnTable
  words: { bar: string; figures: string; places: string; whole: string }
}

export interface DatasetView extends DatasetTeaser {
  /** When the source itself was last changed, as far as it says. */
  sourceUpdatedAt: string | null
  /** When the source was last found as it is here. */
  checkedAt: string
  columns: ColumnView[]
  table: Cell[][]
  /** Rows that match. */
  total: number
  page: number
  pages: number
  search: DatasetSearch
  chart: ChartView | null
  map: MapView | null
  now: string
}
