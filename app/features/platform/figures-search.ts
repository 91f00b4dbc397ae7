import { readChoiceParam, omitUndefined, readTextParam, readIntegerParam } from '#app/lib/search-params.ts'
import { FIGURE_SORTS } from './platform.schema.ts'

type FigureSort = (typeof FIGURE_SORTS)[number]

/** Which sites' figures are shown, and in which order; it stands in the address. */
export interface FiguresSearch {
  q?: string
  sort?: FigureSort | `-${FigureSort}`
  page?: number
}

const SORTS = [...FIGURE_SORTS, ...FIGURE_SORTS.map((name) => `-${name}` as const)]

/** Reads it from the address; what is broken is left out rather than refused. */
export const readFiguresSearch = ({ q, sort, page }: Record<string, unknown>): FiguresSearch =>
  omitUndefined({ q: readTextParam(q, 200), sort: readChoiceParam(sort, SORTS), page: readIntegerParam(page, 2, 10_000) })
