import { readNamesParam, readSortParam } from '#app/lib/list-search.ts'
import { omitUndefined, readChoiceParam, readIntegerParam, readTextParam } from '#app/lib/search-params.ts'
import { SITE_SORTS, SITE_STATES, type SiteState } from './sites.schema.ts'

type SiteSort = (typeof SITE_SORTS)[number]

/** State of the platform's site table, kept in the address. */
export interface SiteTableSearch {
  q?: string
  state?: SiteState
  region?: string
  sort?: SiteSort | `-${SiteSort}`
  /** Hidden columns, comma-separated. */
  hide?: string
  page?: number
}

/** Parses the table's state from the address; invalid parameters are dropped rather than refused. */
export function readSiteTableSearch({ q, state, region, sort, hide, page }: Record<string, unknown>): SiteTableSearch {
  return omitUndefined({
    q: readTextParam(q, 200),
    state: readChoiceParam(state, SITE_STATES),
    region: readTextParam(region, 60),
    sort: readSortParam(sort, SITE_SORTS),
    hide: readNamesParam(hide),
    page: readIntegerParam(page, 2, 10_000),
  })
}
