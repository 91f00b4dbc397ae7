import { readSortParam } from '#app/lib/list-search.ts'
import { omitUndefined, readIntegerParam, readTextParam } from '#app/lib/search-params.ts'
import { FIGURE_SORTS } from './platform.schema.ts'

type FigureSort = (typeof FIGURE_SORTS)[number]

/** Filter, order and page of the site figures, kept in the address. */
export interface FiguresSearch {
  q?: string
  sort?: FigureSort | `-${FigureSort}`
  page?: number
}

/** Parses the address; invalid parameters are dropped rather than refused. */
export const readFiguresSearch = ({ q, sort, page }: Record<string, unknown>): FiguresSearch =>
  omitUndefined({ q: readTextParam(q, 200), sort: readSortParam(sort, FIGURE_SORTS), page: readIntegerParam(page, 2, 10_000) })
