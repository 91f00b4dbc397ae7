import { and, eq, sql } from 'drizzle-orm'
import { loadModerationSettings } from '#app/features/contributions/moderation/moderation-settings.server.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { requestReview, requireOtherPerson, type ReviewedKind } from '#app/features/reviews/reviews.server.ts'
import type { RevisionKind, RevisionRow } from '#app/features/revisions/revisions.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { heardReportRevisions, heardReports } from '#app/server/db/schema/heard.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { projects } from '#app/server/db/schema/projects.ts'

const isHead = (ctx: Ctx, projectId: string) =>
  and(eq(revisionHeads.siteId, ctx.site.id), eq(revisionHeads.subject, 'heard-report'), eq(revisionHeads.scopeId, projectId))

async function lockHead(ctx: Ctx, tx: Tx, projectId: string) {
  const [head] = await tx.select().from(revisionHeads).where(isHead(ctx, projectId)).for('update')
  return head
}

/** Reviews of the reports of projects. A changed draft no longer waits: a colleague agrees to what they have read. */
export const REPORT_REVIEWS: ReviewedKind = {
  thing: 'report',
  type: 'projects',
  acts: { request: 'heard-reports.request-review', withdraw: 'heard-reports.withdraw-review', return: 'heard-reports.return' },
  publications: ['heard-reports.publish'],
  revisions: heardReportRevisions,
  selectDrafts: ({ site }) => sql`
    select p.id, p.id as project_id, p.title, head.draft_id, head.review_requested_at as asked_at, head.review_requested_by as asker_id,
      exists (select from ${heardReports} r where r.site_id = p.site_id and r.project_id = p.id and r.status = 'published') as is_public
    from ${projects} p
    left join ${revisionHeads} head on head.site_id = p.site_id and head.subject = 'heard-report' and head.scope_id = p.id
    where p.site_id = ${site.id}`,
  edit: 'projects.edit',
  publish: 'projects.publish',
  mayPublish: (viewer, { projectId, hubId, publishedAt }) => {
    const decision = checkPermission(viewer, 'projects.publish', toPermissionTarget({ id: projectId, hubId, publishedAt }))
    return decision.ok && !decision.only
  },
  lockRequest: async (ctx, tx, id) => {
    const head = await lockHead(ctx, tx, id)
    return head && { requestedAt: head.reviewRequestedAt, requestedBy: head.reviewRequestedBy }
  },
  storeRequest: async (ctx, tx, id, { requestedAt, requestedBy }) => {
    await tx.update(revisionHeads).set({ reviewRequestedAt: requestedAt, reviewRequestedBy: requestedBy }).where(isHead(ctx, id))
  },
  refusesOwnBy: 'report-agree-other',
  isForPeople: true,
  buildPath: ({ id }) => `/admin/projects/${id}/heard/report`,
}

/**
 * If the site requires agreement, a draft is published only by a second person, after a review of it was requested.
 * @throws {AppError} `report-needs-agreement` if no review of this draft was requested; `report-agree-other` for the person who requested it
 */
export async function requireAgreement(ctx: Ctx, tx: Tx, { id, placeId }: RevisionRow): Promise<void> {
  const { reportsNeedAgreement } = await loadModerationSettings(tx, ctx.site.id)
  if (!reportsNeedAgreement) return
  const head = await lockHead(ctx, tx, placeId ?? '')
  if (head?.draftId !== id || !head.reviewRequestedAt) throw new AppError('report-needs-agreement')
  requireOtherPerson(ctx, REPORT_REVIEWS, head.reviewRequestedBy)
}

/** Asks those who may publish the project to agree to the draft of its report; they are told. @throws {AppError} `conflict` if it is not the draft, or waits already */
export const requestReportReview: NonNullable<RevisionKind['requestReview']> = async (ctx, tx, row) => {
  const projectId = row.placeId ?? ''
  const head = await lockHead(ctx, tx, projectId)
  if (head?.draftId !== row.id) throw new AppError('conflict')
  const [project] = await tx
    .select({ id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt, title: projects.title })
    .from(projects)
    .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, projectId)))
  if (!project) throw new AppError('not-found')
  await requestReview(ctx, tx, REPORT_REVIEWS, { id: projectId, revisionId: row.id, title: project.title, project })
}

/** A condition on `projects`: a colleague should agree to a draft of its report. */
export const isReportInReview = sql<boolean>`exists (select from ${revisionHeads} where ${revisionHeads.siteId} = ${projects.siteId}
  and ${revisionHeads.subject} = 'heard-report' and ${revisionHeads.scopeId} = ${projects.id} and ${revisionHeads.reviewRequestedAt} is not null)`
