import { and, eq, inArray } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { activities, contributions } from '#app/server/db/schema/contributions.ts'
import { moderationCases } from '#app/server/db/schema/moderation.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { listPermittedPeople } from '../record/permitted-people.server.ts'
import { requireContributionFor } from '../record/loading.server.ts'
import { type CaseRecord, isModerated } from './case-records.server.ts'
import { mailCaseAssignment } from './decision-mails.server.ts'

interface Moderator {
  id: string
  name: string
}

/** The people who may decide every one of these cases. Empty if the viewer may not moderate any of them. */
export const listCaseModerators = (ctx: Ctx, caseIds: readonly string[]): Promise<Moderator[]> =>
  ctx.db.read(async (tx) => {
    const places = await tx
      .selectDistinct({ id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt })
      .from(moderationCases)
      .innerJoin(contributions, and(eq(contributions.siteId, moderationCases.siteId), eq(contributions.id, moderationCases.contributionId)))
      .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
      .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
      .where(and(isModerated(ctx), inArray(moderationCases.id, [...caseIds])))
    const people: Moderator[][] = []
    for (const place of places) people.push(await listPermittedPeople(ctx, tx, 'contributions.moderate', place))
    const [first = [], ...others] = people
    return first.filter(({ id }) => others.every((permitted) => permitted.some((person) => person.id === id)))
  })

/**
 * Assigns an open case to a team member, who gets an email, or removes its assignee. Other moderators can still decide it.
 * @throws {AppError} `not-found`, `forbidden`; `conflict` if the case has been decided; `invalid` with `not-a-choice` at `/assigneeId` if
 * the assignee may not moderate that project
 */
export async function assignCase(
  ctx: Ctx,
  { id, contributionId }: Pick<CaseRecord, 'id' | 'contributionId'>,
  assigneeId: string | null,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const placed = await requireContributionFor(ctx, tx, 'contributions.moderate', contributionId)
    const { contribution, project } = placed
    const isCase = and(eq(moderationCases.siteId, ctx.site.id), eq(moderationCases.id, id))
    const [present] = await tx.select().from(moderationCases).where(isCase).for('update')
    if (present?.state !== 'open') throw new AppError('conflict')
    if (present.assigneeId === assigneeId) return
    const mayDecide =
      assigneeId === null ||
      (await listPermittedPeople(ctx, tx, 'contributions.moderate', project)).some((person) => person.id === assigneeId)
    if (!mayDecide) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/assigneeId' }] })
    await tx.update(moderationCases).set({ assigneeId }).where(isCase)
    await recordAudit(ctx, tx, {
      action: 'contributions.assign-case',
      subject: { type: 'contributions', id: contribution.id },
      hubId: project.hubId,
      projectId: project.id,
      detail: { number: contribution.number, case: id, assignee: assigneeId },
    })
    const isOwn = ctx.viewer.kind === 'user' && ctx.viewer.id === assigneeId
    if (assigneeId && !isOwn) await mailCaseAssignment(ctx, tx, placed, { assigneeId, dueAt: present.dueAt })
  })
}
