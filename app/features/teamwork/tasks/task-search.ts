import { readIdParam } from '#app/lib/list-search.ts'
import { omitUndefined, readChoiceParam } from '#app/lib/search-params.ts'

/** State of the list of tasks in the address. Without any, the viewer's own open tasks. */
export interface TaskSearch {
  project?: string
  whose?: 'all'
  state?: 'done'
  page?: number
}

/** Parses URL parameters; invalid values are dropped. */
export function readTaskSearch(search: Record<string, unknown>): TaskSearch {
  const page = Number(search['page'])
  return omitUndefined({
    project: readIdParam(search['project']),
    whose: readChoiceParam(search['whose'], ['all']),
    state: readChoiceParam(search['state'], ['done']),
    page: Number.isInteger(page) && page > 1 && page < 10_000 ? page : undefined,
  })
}
