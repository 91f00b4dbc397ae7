import { readChoiceParam, omitUndefined, readTextParam, readIntegerParam } from '#app/lib/search-params.ts'
import type { SurveyStatus } from '#app/lib/vocabulary/surveys.ts'

export const SURVEY_TABLE_SORTS = ['title', 'updatedAt', 'closesAt', 'responses'] as const
export type SurveyTableSort = (typeof SURVEY_TABLE_SORTS)[number]

/** State of the administrators' survey table, kept in the URL. */
export interface SurveyTableSearch {
  q?: string
  status?: SurveyStatus
  project?: string
  sort?: SurveyTableSort | `-${SurveyTableSort}`
  page?: number
}

const STATUSES = ['draft', 'published', 'archived'] as const satisfies readonly SurveyStatus[]
const SORTS = [...SURVEY_TABLE_SORTS, ...SURVEY_TABLE_SORTS.map((name) => `-${name}` as const)]

/** Reads the table's state from the URL; invalid values are dropped rather than refused. */
export function readSurveyTableSearch({ q, status, project, sort, page }: Record<string, unknown>): SurveyTableSearch {
  return omitUndefined({
    q: readTextParam(q, 200),
    status: readChoiceParam(status, STATUSES),
    project: typeof project === 'string' && /^[0-9a-f-]{36}$/i.test(project) ? project : undefined,
    sort: readChoiceParam(sort, SORTS),
    page: readIntegerParam(page, 2, 10_000),
  })
}
