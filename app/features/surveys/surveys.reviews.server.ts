import { and, eq, sql } from 'drizzle-orm'
import type { ReviewedKind } from '#app/features/reviews/reviews.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { surveyRevisions, surveys } from '#app/server/db/schema/surveys.ts'
import { canPublishSurvey } from './managing/publishing.server.ts'

const isSurvey = (ctx: Ctx, id: string) => and(eq(surveys.siteId, ctx.site.id), eq(surveys.id, id))

/** Reviews of what a survey asks. Its texts and settings apply at once, so there is nothing to approve about them once it is published. */
export const SURVEY_REVIEWS: ReviewedKind = {
  thing: 'survey',
  type: 'surveys',
  acts: { request: 'surveys.request-review', withdraw: 'surveys.withdraw-review', return: 'surveys.return' },
  publications: ['surveys.publish'],
  revisions: surveyRevisions,
  selectDrafts: ({ site }) => sql`
    select s.id, s.project_id, s.title, s.published_version is not null as is_public, s.draft_revision_id as draft_id,
      s.review_requested_at as asked_at, s.review_requested_by as asker_id
    from ${surveys} s where s.site_id = ${site.id}`,
  edit: 'projects.edit',
  publish: 'projects.publish',
  mayPublish: (viewer, { projectId, hubId, publishedAt }) => canPublishSurvey(viewer, { id: projectId, hubId, publishedAt }),
  lockRequest: async (ctx, tx, id) => {
    const [survey] = await tx
      .select({ requestedAt: surveys.reviewRequestedAt, requestedBy: surveys.reviewRequestedBy })
      .from(surveys)
      .where(isSurvey(ctx, id))
      .for('update')
    return survey
  },
  storeRequest: async (ctx, tx, id, { requestedAt, requestedBy }) => {
    await tx.update(surveys).set({ reviewRequestedAt: requestedAt, reviewRequestedBy: requestedBy }).where(isSurvey(ctx, id))
  },
  refusesOwnBy: 'review-other',
  buildPath: ({ id }) => `/admin/surveys/${id}`,
}
