import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import { buildDeskFilter } from './desk/desk-list.server.ts'
import { buildCaseFilter } from './moderation/case-records.server.ts'

/** Texts of a project that wait for a decision or an answer, as the queue of moderation and the list of contributions count them. */
export interface WaitingTexts {
  /** Cases to decide, how many of these are late, and when the oldest was opened. */
  cases: number
  casesLate: number
  oldestCaseAt: string | null
  /** Published contributions without an official answer; the questions among them, and how many of those are late. */
  answers: number
  questions: number
  questionsLate: number
  /** Drafted answers that a colleague should agree to. */
  agreement: number
}

/** Of one project or of all, in one statement. Only what the viewer may moderate is counted. */
export async function countWaitingTexts(ctx: Ctx, tx: Tx, project?: string): Promise<WaitingTexts> {
  const now = ctx.now().toISOString()
  const inProject = project === undefined ? {} : { project }
  const waits = (wait: 'answer' | 'question' | 'agreement') => buildDeskFilter(ctx, { ...inProject, waits: wait })
  const { rows } = await tx.execute<WaitingTexts & Record<string, unknown>>(sql`
    select cases.*, answers.*, questions.*, agreement.*
    from (
      select count(*)::int as cases, (count(*) filter (where ${moderationCases.dueAt} < ${now}))::int as "casesLate",
        to_char(min(${moderationCases.openedAt}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "oldestCaseAt"
      from ${moderationCases} where ${buildCaseFilter(ctx, { ...inProject, state: ['open'] })}
    ) cases cross join (
      select count(*)::int as answers from ${contributions} where ${waits('answer')}
    ) answers cross join (
      select count(*)::int as questions, (count(*) filter (where ${contributions.dueAt} < ${now}))::int as "questionsLate"
      from ${contributions} where ${waits('question')}
    ) questions cross join (
      select count(*)::int as agreement from ${contributions} where ${waits('agreement')}
    ) agreement`)
  const [counted] = rows
  if (!counted) throw new Error('Counts have a row')
  return counted
}

/**
 * How many questions wait for an answer, or cases for a decision, by the project and the day on which they are due.
 * @returns a query with `project_id`, `day` (of the site) and `texts`
 */
export function selectDueTexts(ctx: Ctx, kind: 'question' | 'moderation'): SQL {
  const toDay = (at: SQL) => sql`(${at} at time zone ${ctx.site.timeZone})::date`
  const ofActivities = sql`join ${activities} on ${activities.siteId} = ${contributions.siteId} and ${activities.id} = ${contributions.activityId}`
  if (kind === 'question') {
    return sql`select ${activities.projectId} as project_id, ${toDay(sql`${contributions.dueAt}`)} as day, count(*)::int as texts
      from ${contributions} ${ofActivities} where ${buildDeskFilter(ctx, { waits: 'question' })} group by 1, 2`
  }
  return sql`select ${activities.projectId} as project_id, ${toDay(sql`${moderationCases.dueAt}`)} as day, count(*)::int as texts
    from ${moderationCases}
    join ${contributions} on ${contributions.siteId} = ${moderationCases.siteId} and ${contributions.id} = ${moderationCases.contributionId}
    ${ofActivities} where ${buildCaseFilter(ctx, { state: ['open'] })} group by 1, 2`
}
