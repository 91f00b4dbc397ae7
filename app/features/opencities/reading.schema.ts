import { given, textParam, wholeParam } from '#app/lib/search-params.ts'
import type { Words } from '#app/lib/words.ts'
import type { Cell, ColumnType } from './opencities.schema.ts'

/** What of a dataset's address is understood: words, the column to sort by (`c2`, `-c2` downwards) and the page. */
export interface DatasetSearch {
  q?: string
  sort?: string
  page?: number
}

/** Reads the parameters of a dataset's page; what is broken is left out. */
export const readDatasetSearch = ({ q, sort, page }: Record<string, unknown>): DatasetSearch =>
  given({
    q: textParam(q, 100),
    sort: typeof sort === 'string' && /^-?c\d{1,3}$/.test(sort) ? sort : undefined,
    page: wholeParam(page, 2, 100_000),
  })

/** A dataset in a list. Instants are ISO 8601. */
export interface DatasetTeaser {
  slug: string
  title: Words
  description: Words
  rows: number
  publisher: string
  licence: string
  synchronisedAt: string
}

export interface ColumnView {
  /** As the address names it. */
  id: string
  name: Words
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

export interface DatasetView extends DatasetTeaser {
  project: { slug: string; title: Words } | null
  licenceUrl: string | null
  sourceUrl: string | null
  /** When the source itself was last changed, as far as it says. */
  sourceUpdatedAt: string | null
  /** When the source was last found as it is here. */
  checkedAt: string
  /** It can no longer be brought up to date. */
  failing: boolean
  columns: ColumnView[]
  table: Cell[][]
  /** Rows that match. */
  total: number
  page: number
  pages: number
  search: DatasetSearch
  /** Small enough to be searched and sorted. */
  searchable: boolean
  chart: ChartView | null
  map: MapView | null
  now: string
}
