import { and, eq, isNull } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { contributions, contributionStatuses } from '#app/server/db/schema/contributions.ts'
import { listPermittedPeople } from '../record/permitted-people.server.ts'
import { mailAssignment } from '../moderation/decision-mails.server.ts'
import { requireContributionFor } from '../record/loading.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import type { Answerer } from './questions.schema.ts'
import { isUnanswered } from './question-state.server.ts'

/** Whom a question can be assigned to. @throws {AppError} `not-found`, `forbidden` */
export const listAssignees = (ctx: Ctx, contributionId: string): Promise<Answerer[]> =>
  ctx.db.read(async (tx) => {
    const { project } = await requireContributionFor(ctx, tx, 'contributions.answer', contributionId)
    return listPermittedPeople(ctx, tx, 'contributions.answer', project)
  })

/**
 * Gives a question to somebody of the team, who is told by mail; or to nobody. Its status says that the team is on it.
 * @throws {AppError} `not-found`; `forbidden`, also for what is no question; `conflict` if it needs no answer any more; `invalid` with
 * `not-a-choice` at `/assigneeId` for somebody who may not answer there
 */
export async function assignQuestion(ctx: Ctx, contributionId: string, assigneeId: string | null): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const placed = await requireContributionFor(ctx, tx, 'contributions.answer', contributionId)
    const { contribution, activity, project } = placed
    if (!readActivitySettings(activity).tools.question) throw new AppError('forbidden')
    if (!isUnanswered(contribution)) throw new AppError('conflict')
    if (contribution.assigneeId === assigneeId) return
    const assignee =
      assigneeId === null ? null : (await listPermittedPeople(ctx, tx, 'contributions.answer', project)).find(({ id }) => id === assigneeId)
    if (assignee === undefined) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/assigneeId' }] })
    const [before, after] = assignee ? (['received', 'under_review'] as const) : (['under_review', 'received'] as const)
    const statuses = await tx
      .select({ id: contributionStatuses.id, code: contributionStatuses.code, archived: contributionStatuses.archived })
      .from(contributionStatuses)
      .where(and(eq(contributionStatuses.siteId, ctx.site.id), eq(contributionStatuses.activityId, activity.id)))
    const present = statuses.find(({ id }) => id === contribution.statusId)
    const next = present?.code === before ? statuses.find(({ code, archived }) => code === after && !archived) : undefined
    const changed = await tx
      .update(contributions)
      .set({ assigneeId, ...(next && { statusId: next.id }) })
      .where(and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, contribution.id), isNull(contributions.answered)))
      .returning({ id: contributions.id })
    // Somebody has just answered it.
    if (changed.length === 0) throw new AppError('conflict')
    await recordAudit(ctx, tx, {
      action: 'contributions.assign',
      subject: { type: 'contributions', id: contribution.id },
      hubId: project.hubId,
      projectId: project.id,
      detail: { number: contribution.number, assignee: assigneeId },
    })
    if (assigneeId && !(ctx.viewer.kind === 'user' && ctx.viewer.id === assigneeId)) await mailAssignment(ctx, tx, placed, assigneeId)
  })
}
