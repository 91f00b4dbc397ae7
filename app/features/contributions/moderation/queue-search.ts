import { readIdParam, readSortParam } from '#app/lib/list-search.ts'
import { omitUndefined, readChoiceParam, readIntegerParam } from '#app/lib/search-params.ts'
import { CASE_OPENINGS, type CaseOpening, type CaseState } from '#app/lib/vocabulary/moderation.ts'

/** Without one of these, the queue shows what waits. */
export const PAST_STATES = ['decided', 'appealed', 'closed'] as const satisfies readonly CaseState[]

/** Cases assigned to the viewer, or unassigned ones. */
export const QUEUE_ASSIGNEES = ['me', 'nobody'] as const

/** State of the moderation screen in the URL. */
export interface QueueSearch {
  project?: string
  state?: (typeof PAST_STATES)[number]
  openedBy?: CaseOpening
  assignee?: (typeof QUEUE_ASSIGNEES)[number]
  sort?: 'dueAt' | '-dueAt' | 'openedAt' | '-openedAt'
  page?: number
}

/** Parses URL parameters; invalid values are dropped. */
export function readQueueSearch(search: Record<string, unknown>): QueueSearch {
  return omitUndefined({
    project: readIdParam(search['project']),
    state: readChoiceParam(search['state'], PAST_STATES),
    openedBy: readChoiceParam(search['openedBy'], CASE_OPENINGS),
    assignee: readChoiceParam(search['assignee'], QUEUE_ASSIGNEES),
    sort: readSortParam(search['sort'], ['dueAt', 'openedAt']),
    page: readIntegerParam(search['page'], 2, 100_000),
  })
}
