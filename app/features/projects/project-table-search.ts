import { readIdParam, readNamesParam, readSortParam } from '#app/lib/list-search.ts'
import { omitUndefined, readChoiceParam, readIntegerParam, readTextParam } from '#app/lib/search-params.ts'
import { PROJECT_STATUSES, type ProjectStatus } from '#app/lib/vocabulary/projects.ts'

export const PROJECT_TABLE_SORTS = ['title', 'updatedAt', 'publishedAt', 'closesAt', 'participants'] as const
export type ProjectTableSort = (typeof PROJECT_TABLE_SORTS)[number]

/** State of the administrators' project table, kept in the address. */
export interface ProjectTableSearch {
  q?: string
  status?: ProjectStatus
  hub?: string
  sort?: ProjectTableSort | `-${ProjectTableSort}`
  /** Hidden columns, comma-separated. */
  hide?: string
  page?: number
}

/** Parses the table's state from the address; invalid parameters are dropped rather than refused. */
export function readProjectTableSearch({ q, status, hub, sort, hide, page }: Record<string, unknown>): ProjectTableSearch {
  return omitUndefined({
    q: readTextParam(q, 200),
    status: readChoiceParam(status, PROJECT_STATUSES),
    hub: readIdParam(hub),
    sort: readSortParam(sort, PROJECT_TABLE_SORTS),
    hide: readNamesParam(hide),
    page: readIntegerParam(page, 2, 10_000),
  })
}
