import { choiceParam, given, textParam, wholeParam } from '#app/lib/search-params.ts'

/** What the library is asked for; it stands in the address. */
export interface MediaSearch {
  q?: string
  /** Only pictures without alternative text in every language. */
  missing?: 'yes'
  page?: number
}

export function readMediaSearch({ q, missing, page }: Record<string, unknown>): MediaSearch {
  return given({ q: textParam(q, 200), missing: choiceParam(missing, ['yes']), page: wholeParam(page, 2, 10_000) })
}
