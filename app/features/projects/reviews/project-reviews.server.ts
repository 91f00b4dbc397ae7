import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { mailReturn } from '#app/features/reviews/review-mails.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { projectRevisions, projects } from '#app/server/db/schema/projects.ts'
import { toPermissionTarget } from '../projects.policy.server.ts'
import { endChangesReview, lockProject } from '../project-revisions.server.ts'
import type { projectReviewShape } from './project-reviews.api.schema.ts'

/** The latest request for a review of a project, and what became of it. */
interface ProjectReview {
  /** The project's. */
  id: string
  hubId: string | null
  publishedAt: Date | null
  title: Translated
  isWaiting: boolean
  isOfChanges: boolean
  askedAt: Date
  askerId: string | null
  askedBy: string | null
  /** When the draft was last changed after the request. */
  changedAt: Date | null
  changedBy: string | null
  returnedAt: Date | null
  returnedBy: string | null
  returnReason: string | null
}

interface ReviewRow extends Record<string, unknown> {
  id: string
  hub_id: string | null
  published_at: string | null
  title: Translated
  is_waiting: boolean
  is_of_changes: boolean
  asked_at: string
  asker_id: string | null
  asked_by: string | null
  changed_at: string | null
  changed_by: string | null
  returned_at: string | null
  returned_by: string | null
  reason: string | null
}

/** From the audit trail, which knows who asked, and who returned it after that. Nobody is named where it does not know. */
async function selectReviews(ctx: Ctx, tx: Tx, where: SQL | undefined): Promise<ProjectReview[]> {
  const isWaiting = sql`(${projects.status} = 'in_review' or head.review_requested_at is not null)`
  // Older requests for a review of a whole project did not name its draft.
  const isNewer = sql`case when asked.detail ? 'revision' then asked.detail ->> 'revision' is distinct from newer.id::text else newer.created_at > asked.at end`
  const { rows } = await tx.execute<ReviewRow>(sql`
    select ${projects.id} as id, ${projects.hubId} as hub_id, ${projects.publishedAt} as published_at, ${projects.title} as title,
      ${isWaiting} as is_waiting, ${projects.status} <> 'in_review' as is_of_changes,
      coalesce(asked.at, ${projects.updatedAt}) as asked_at,
      asked.actor_id as asker_id, asker.login as asked_by,
      newer.created_at as changed_at, changer.login as changed_by, returned.at as returned_at, returner.login as returned_by, returned.detail ->> 'reason' as reason
    from ${projects}
    left join ${revisionHeads} head on head.site_id = ${projects.siteId} and head.subject = 'project' and head.scope_id = ${projects.id}
    left join lateral (
      select e.* from audit_events e where e.site_id = ${projects.siteId} and e.subject_id = ${projects.id}
        and e.action in ('projects.request-review', 'projects.request-changes-review') order by e.sequence desc limit 1) asked on true
    left join lateral (
      select e.* from audit_events e where e.site_id = ${projects.siteId} and e.subject_id = ${projects.id}
        and e.action = 'projects.return' and e.sequence > asked.sequence order by e.sequence desc limit 1) returned on true
    left join ${projectRevisions} newer on newer.site_id = ${projects.siteId} and newer.id = head.draft_id and ${isWaiting}
      and ${isNewer}
    left join ${users} changer on changer.site_id = ${projects.siteId} and changer.id = newer.created_by
    left join ${users} asker on asker.site_id = ${projects.siteId} and asker.id = asked.actor_id
    left join ${users} returner on returner.site_id = ${projects.siteId} and returner.id = returned.actor_id
    where ${and(
      eq(projects.siteId, ctx.site.id),
      // What was returned is over once it is published.
      sql`(${isWaiting} or returned.id is not null and (${projects.status} = 'draft' or head.has_changes))`,
      scopeWhere(ctx.viewer, 'projects.edit', { hub: projects.hubId, project: projects.id }),
      where,
    )}
    order by asked_at, ${asc(projects.id)} limit 500`)
  return rows.map((row) => ({
    id: row.id,
    hubId: row.hub_id,
    publishedAt: toDate(row.published_at),
    title: row.title,
    isWaiting: row.is_waiting,
    isOfChanges: row.is_of_changes,
    askedAt: new Date(row.asked_at),
    askerId: row.asker_id,
    askedBy: row.asked_by,
    changedAt: toDate(row.changed_at),
    changedBy: row.changed_by,
    returnedAt: toDate(row.returned_at),
    returnedBy: row.returned_by,
    returnReason: row.reason,
  }))
}

const toDate = (at: string | null): Date | null => (at === null ? null : new Date(at))

export const loadReviews = (ctx: Ctx, ids: readonly string[]): Promise<ProjectReview[]> =>
  ctx.db.read((tx) => selectReviews(ctx, tx, inArray(projects.id, [...ids])))

export async function listReviews(ctx: Ctx, { filter, page }: ListQuery<typeof projectReviewShape>): Promise<ListResult<ProjectReview>> {
  const all = await ctx.db.read((tx) => selectReviews(ctx, tx, filter.project === undefined ? undefined : eq(projects.id, filter.project)))
  const rows = all.filter(({ isWaiting }) => filter.waiting === undefined || isWaiting === filter.waiting)
  return { rows: rows.slice(page.offset, page.offset + page.limit), total: rows.length }
}

export function mayReturn({ viewer }: Pick<Ctx, 'viewer'>, review: ProjectReview): boolean {
  const decision = checkPermission(viewer, 'projects.publish', toPermissionTarget(review))
  return review.isWaiting && decision.ok && !decision.only
}

/**
 * Returns what waits for a review, with a reason: it is a draft again, and who asked is told why.
 * @throws {AppError} `forbidden`; `conflict` if it does not wait any more
 */
export async function returnReview(ctx: Ctx, review: ProjectReview, reason: string): Promise<void> {
  if (!review.isWaiting) throw new AppError('conflict')
  if (!mayReturn(ctx, review)) throw new AppError('forbidden')
  await ctx.db.tx(async (tx) => {
    const project = await lockProject(ctx, tx, review.id)
    const isWhole = project.status === 'in_review'
    if (isWhole) {
      await tx
        .update(projects)
        .set({ status: 'draft', publishAt: null, updatedAt: ctx.now(), lockVersion: sql`${projects.lockVersion} + 1` })
        .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, review.id)))
    } else await endChangesReview(ctx, tx, review.id)
    await recordAudit(ctx, tx, {
      action: 'projects.return',
      subject: { type: 'projects', id: review.id },
      hubId: review.hubId,
      projectId: review.id,
      detail: { reason, asker: review.askerId },
    })
    const path = `/admin/projects/${review.id}`
    await mailReturn(ctx, tx, { thing: 'project', title: review.title, path, askerId: review.askerId, reason })
  })
}
