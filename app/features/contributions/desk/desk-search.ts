import { parseProfileFilter } from '#app/features/profile-answers/profile-answers.schema.ts'
import { readIdParam, readNamesParam, readSortParam } from '#app/lib/list-search.ts'
import { CONTENT_LANGUAGES, type ContentLanguage } from '#app/lib/languages.ts'
import { omitUndefined, readChoiceParam, readIntegerParam, readTextParam } from '#app/lib/search-params.ts'
import { CONTRIBUTION_STATES, type ContributionState, STATUS_CODES, type StatusCode } from '#app/lib/vocabulary/contributions.ts'

export const DESK_PAGE_SIZE = 25

/** What can be decided about many at once. */
export const DESK_STEPS = ['accept', 'refuse', 'hold'] as const
export type DeskStep = (typeof DESK_STEPS)[number]
/** Contributions in one request, and in all. */
export const DESK_BULK_SIZE = 25
export const DESK_BULK_MOST = 5000
/** Contributions of an answer to many that are listed at once. */
export const SET_PAGE_SIZE = 20
/** What can be done with an answer to many that is being sent, or was. */
export const SENDING_ACTS = ['stop', 'send-rest', 'dismiss'] as const
/** What can be done with an answer to many that is drafted. */
export const SET_ACTS = ['agree', 'return', 'take-back', 'discard'] as const

/**
 * What a contribution waits for: anything, a moderator's decision, an official answer, or an official answer to a question. Or its answer is
 * drafted, or a draft waits for a colleague's agreement.
 */
export const DESK_WAITS = ['any', 'decision', 'answer', 'question', 'draft', 'agreement'] as const
export type DeskWait = (typeof DESK_WAITS)[number]

/** Days. */
export const DESK_DAYS = ['1', '3', '7', '14', '30'] as const
export const DESK_SORTS = ['waiting', 'submittedAt', 'supports', 'replies'] as const
export type DeskSort = (typeof DESK_SORTS)[number]
export const DESK_ASSIGNEES = ['me', 'nobody'] as const

/** What is to be done something about: all that a list shows, or the given ones. */
export type ChosenOnDesk = { search: DeskSearch } | { ids: string[] }

/** State of the list of contributions in the address. */
export interface DeskSearch {
  q?: string
  project?: string
  activity?: string
  state?: ContributionState
  /** A status that activities start with, or the id of one. */
  status?: StatusCode | (string & {})
  category?: string
  area?: string
  /** Also a person's id. */
  assignee?: string
  language?: ContentLanguage
  /** One option of a question that people answer about themselves: `age:65-74`. */
  profile?: string
  waits?: DeskWait
  /** Has waited for more than so many days. */
  longer?: (typeof DESK_DAYS)[number]
  sort?: DeskSort | `-${DeskSort}`
  /** Hidden columns, comma-separated. */
  hide?: string
  page?: number
}

/** Parses URL parameters; invalid values are dropped. */
export function readDeskSearch(search: Record<string, unknown>): DeskSearch {
  return omitUndefined({
    q: readTextParam(search['q'], 200),
    project: readIdParam(search['project']),
    activity: readIdParam(search['activity']),
    state: readChoiceParam(search['state'], CONTRIBUTION_STATES),
    status: readChoiceParam(search['status'], STATUS_CODES) ?? readIdParam(search['status']),
    category: readTextParam(search['category'], 40),
    area: readIdParam(search['area']),
    assignee: readChoiceParam(search['assignee'], DESK_ASSIGNEES) ?? readIdParam(search['assignee']),
    language: readChoiceParam(search['language'], CONTENT_LANGUAGES),
    profile: readOptionParam(search['profile']),
    waits: readChoiceParam(search['waits'], DESK_WAITS),
    longer: readChoiceParam(search['longer'], DESK_DAYS),
    sort: readSortParam(search['sort'], DESK_SORTS),
    hide: readNamesParam(search['hide']),
    page: readIntegerParam(search['page'], 2, 10_000),
  })
}

function readOptionParam(value: unknown): string | undefined {
  const text = readTextParam(value, 130)
  const matches = text === undefined ? undefined : parseProfileFilter(text)
  return matches?.length === 1 && matches[0]?.options.length === 1 ? text : undefined
}
