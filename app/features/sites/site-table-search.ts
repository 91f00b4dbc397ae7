import { readChoiceParam, omitUndefined, readNamesParam, readTextParam, readIntegerParam } from '#app/lib/search-params.ts'
import { SITE_SORTS, SITE_STATES, type SiteState } from './sites.schema.ts'

type SiteSort = (typeof SITE_SORTS)[number]

/** What the table of the platform's sites is asked for; it stands in the address. */
export interface SiteTableSearch {
  q?: string
  state?: SiteState
  region?: string
  sort?: SiteSort | `-${SiteSort}`
  /** Columns that are not shown, by commas. */
  hide?: string
  page?: number
}

const SORTS = [...SITE_SORTS, ...SITE_SORTS.map((name) => `-${name}` as const)]

/** Reads the table's state from the address; what is broken is left out rather than refused. */
export function readSiteTableSearch({ q, state, region, sort, hide, page }: Record<string, unknown>): SiteTableSearch {
  return omitUndefined({
    q: readTextParam(q, 200),
    state: readChoiceParam(state, SITE_STATES),
    region: readTextParam(region, 60),
    sort: readChoiceParam(sort, SORTS),
    hide: readNamesParam(hide),
    page: readIntegerParam(page, 2, 10_000),
  })
}
