import { sql } from 'drizzle-orm'
import type { ReviewedKind } from '#app/features/reviews/reviews.server.ts'
import { isHeadOf } from '#app/features/revisions/revisions.server.ts'
import { activities, activityRevisions } from '#app/server/db/schema/contributions.ts'
import { revisionHeads } from '#app/server/db/schema/homepage.ts'
import { mayPublishActivity } from './activities.policy.server.ts'

const HEAD = { subject: 'activity' } as const

/** Reviews of activities: of a draft as a whole, and of changes of a published one. */
export const ACTIVITY_REVIEWS: ReviewedKind = {
  thing: 'activity',
  type: 'activities',
  acts: { request: 'activities.request-review', withdraw: 'activities.withdraw-review', return: 'activities.return' },
  publications: ['activities.publish', 'activities.publish-changes'],
  revisions: activityRevisions,
  selectDrafts: ({ site }) => sql`
    select a.id, a.project_id, a.title, a.status <> 'draft' as is_public, head.draft_id,
      head.review_requested_at as asked_at, head.review_requested_by as asker_id
    from ${activities} a
    left join ${revisionHeads} head on head.site_id = a.site_id and head.subject = 'activity' and head.scope_id = a.id
    where a.site_id = ${site.id}`,
  edit: 'activities.edit',
  publish: 'activities.publish',
  mayPublish: (viewer, { projectId, hubId, publishedAt }) => mayPublishActivity(viewer, { id: projectId, hubId, publishedAt }),
  lockRequest: async (ctx, tx, id) => {
    const [head] = await tx
      .select({ requestedAt: revisionHeads.reviewRequestedAt, requestedBy: revisionHeads.reviewRequestedBy })
      .from(revisionHeads)
      .where(isHeadOf(ctx, HEAD, id))
      .for('update')
    return head
  },
  storeRequest: async (ctx, tx, id, { requestedAt, requestedBy }) => {
    const request = { reviewRequestedAt: requestedAt, reviewRequestedBy: requestedBy }
    await tx
      .update(revisionHeads)
      .set(request)
      .where(isHeadOf(ctx, HEAD, id))
  },
  refusesOwnBy: 'review-other',
  buildPath: ({ id, projectId }) => `/admin/projects/${projectId}/activities/${id}`,
}
