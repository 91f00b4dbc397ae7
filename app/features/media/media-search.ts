import { readChoiceParam, omitUndefined, readTextParam, readIntegerParam } from '#app/lib/search-params.ts'

/** State of the library in the URL. */
export interface MediaSearch {
  q?: string
  /** Only pictures that lack alternative text in some language. */
  missing?: 'yes'
  page?: number
}

export function readMediaSearch({ q, missing, page }: Record<string, unknown>): MediaSearch {
  return omitUndefined({ q: readTextParam(q, 200), missing: readChoiceParam(missing, ['yes']), page: readIntegerParam(page, 2, 10_000) })
}
