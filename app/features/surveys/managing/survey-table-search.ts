import { readIdParam, readSortParam } from '#app/lib/list-search.ts'
import { omitUndefined, readChoiceParam, readIntegerParam, readTextParam } from '#app/lib/search-params.ts'
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

/** Reads the table's state from the URL; invalid values are dropped rather than refused. */
export function readSurveyTableSearch({ q, status, project, sort, page }: Record<string, unknown>): SurveyTableSearch {
  return omitUndefined({
    q: readTextParam(q, 200),
    status: readChoiceParam(status, STATUSES),
    project: readIdParam(project),
    sort: readSortParam(sort, SURVEY_TABLE_SORTS),
    page: readIntegerParam(page, 2, 10_000),
  })
}
