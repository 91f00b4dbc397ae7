import { readChoiceParam, omitUndefined, readTextParam, readIntegerParam } from '#app/lib/search-params.ts'

/** What the library is asked for; it stands in the address. */
export interface MediaSearch {
  q?: string
  /** Only pictures without alternative text in every language. */
  missing?: 'yes'
  page?: number
}

export function readMediaSearch({ q, missing, page }: Record<string, unknown>): MediaSearch {
  return omitUndefined({ q: readTextParam(q, 200), missing: readChoiceParam(missing, ['yes']), page: readIntegerParam(page, 2, 10_000) })
}
