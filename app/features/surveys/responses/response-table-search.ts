import { parseProfileFilter } from '#app/features/profile-answers/profile-answers.schema.ts'
import { CONTENT_LANGUAGES, type ContentLanguage } from '#app/lib/languages.ts'
import { readIdParam, readNamesParam, readSortParam } from '#app/lib/list-search.ts'
import { omitUndefined, readChoiceParam, readIntegerParam, readTextParam } from '#app/lib/search-params.ts'

export const RESPONSE_TABLE_SORTS = ['submittedAt', 'seconds'] as const
export type ResponseTableSort = (typeof RESPONSE_TABLE_SORTS)[number]

/** State of a survey's response table, kept in the URL. */
export interface ResponseTableSearch {
  q?: string
  language?: ContentLanguage
  version?: number
  /** ISO 8601 in UTC; the end is exclusive. */
  from?: string
  to?: string
  /** Channel: `web`, `api`, `paper`, `import`. */
  source?: string
  /** A question and the chosen value: `mode:bus`. */
  answer?: string
  /** From the results filter: several of them, separated by commas. */
  answers?: string
  /** From the results filter: id of the area where participants live. Cannot be combined with other filters. */
  area?: string
  /** From the results filter: an option of a question about participants, `age:65-74`. Cannot be combined with other filters either. */
  profile?: string
  sort?: ResponseTableSort | `-${ResponseTableSort}`
  /** Hidden columns, separated by commas. */
  hide?: string
  page?: number
}

const ANSWERS_PATTERN = /^[A-Za-z][\w-]{0,39}:[\w.:-]{1,80}(?:,[A-Za-z][\w-]{0,39}:[\w.:-]{1,80}){0,9}$/
const parseMomentParam = (value: unknown) =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]{5,12}Z$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined

/** Reads the table's state from the URL; invalid values are dropped rather than refused. */
export function readResponseTableSearch({
  q,
  language,
  version,
  from,
  to,
  source,
  answer,
  answers,
  area,
  profile,
  sort,
  hide,
  page,
}: Record<string, unknown>): ResponseTableSearch {
  return omitUndefined({
    q: readTextParam(q, 200),
    language: readChoiceParam(language, CONTENT_LANGUAGES),
    version: readIntegerParam(version, 1, 100_000),
    from: parseMomentParam(from),
    to: parseMomentParam(to),
    source: typeof source === 'string' && /^[a-z]{1,20}$/.test(source) ? source : undefined,
    answers: typeof answers === 'string' && ANSWERS_PATTERN.test(answers) ? answers : undefined,
    area: readIdParam(area),
    profile: typeof profile === 'string' && parseProfileFilter(profile)?.length === 1 ? profile.slice(0, 130) : undefined,
    answer: typeof answer === 'string' && /^[A-Za-z][\w-]{0,39}:[\w-]{1,40}$/.test(answer) ? answer : undefined,
    sort: readSortParam(sort, RESPONSE_TABLE_SORTS),
    hide: readNamesParam(hide),
    page: readIntegerParam(page, 2, 100_000),
  })
}
