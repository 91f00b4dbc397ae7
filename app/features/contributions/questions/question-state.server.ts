import { and, eq, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { QuestionState, StatusCode } from '#app/lib/vocabulary/contributions.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import type { ContributionRow } from '../record/loading.server.ts'

/** An official response with one of these says how far the team is; any other answers the question. */
export const OPEN_STATUSES = ['received', 'under_review'] as const satisfies readonly StatusCode[]

export const isAnswer = (code: StatusCode | null): boolean => !OPEN_STATUSES.some((open) => open === code)

/** Null for what is no question, and for one that waits for no answer of its own: taken back by its author, erased, or merged into another. */
export function getQuestionState(row: Pick<ContributionRow, 'dueAt' | 'state' | 'answered' | 'assigneeId'>): QuestionState | null {
  if (row.dueAt === null || ['withdrawn', 'erased', 'merged'].includes(row.state)) return null
  if (row.state === 'declined' || row.state === 'removed') return 'declined'
  if (row.answered) return row.answered === 'public' ? 'answered_publicly' : 'answered_privately'
  return row.assigneeId ? 'assigned' : 'asked'
}

/** True until a question is answered, declined or taken back. */
export const isUnanswered = ({ dueAt, state, answered }: Pick<ContributionRow, 'dueAt' | 'state' | 'answered'>): boolean =>
  dueAt !== null && answered === null && (state === 'held' || state === 'published')

export const isOverdue = (row: Pick<ContributionRow, 'dueAt' | 'state' | 'answered'>, now: Date): boolean =>
  isUnanswered(row) && row.dueAt !== null && row.dueAt < now

const unanswered = and(isNotNull(contributions.dueAt), isNull(contributions.answered), inArray(contributions.state, ['held', 'published']))
const taken = inArray(contributions.state, ['held', 'published'])

function buildStateFilter(state: QuestionState): SQL | undefined {
  switch (state) {
    case 'asked':
      return and(unanswered, isNull(contributions.assigneeId))
    case 'assigned':
      return and(unanswered, isNotNull(contributions.assigneeId))
    case 'answered_publicly':
      return and(isNotNull(contributions.dueAt), eq(contributions.answered, 'public'), taken)
    case 'answered_privately':
      return and(isNotNull(contributions.dueAt), eq(contributions.answered, 'private'), taken)
    case 'declined':
      return and(isNotNull(contributions.dueAt), inArray(contributions.state, ['declined', 'removed']))
  }
}

/** Questions in any of these states. */
export const buildQuestionFilter = (states: readonly QuestionState[]): SQL => or(...states.map(buildStateFilter)) ?? sql`false`

/** Questions whose answer is late, or the others. */
export function buildOverdueFilter(overdue: boolean, now: Date): SQL | undefined {
  const late = and(unanswered, lt(contributions.dueAt, now))
  return overdue ? late : sql`(${late}) is not true`
}
