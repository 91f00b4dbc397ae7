import { requestReview } from '#app/features/reviews/reviews.server.ts'
import { findDraftRevision, publishRevision } from '#app/features/revisions/revisions.server.ts'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { checkTranslations } from '#app/server/translations.ts'
import type { PlacedActivity } from '../record/activities.policy.server.ts'
import { isActivityShown } from '../record/activity-content.schema.ts'
import { ACTIVITY_REVIEWS } from '../record/activity-reviews.server.ts'
import { assertPublishable, listTextsOf, loadActivities, loadStatusTitles } from './activities.editing.server.ts'
import type { activityReviewShape } from './activity-reviews.api.schema.ts'
import { ACTIVITY_CONTENT, activityHistory } from './activity-revisions.server.ts'
import { requireEditableProject } from './project-stages.server.ts'

/**
 * Asks a colleague who may publish the activity to look at its draft, which has to be as complete as for publication.
 * @returns the activity's id
 * @throws {AppError} `not-found`, `forbidden`; `conflict` if it waits already, or nothing is different from what is published; `invalid` with
 * everything that prevents publishing
 */
export async function askForActivityReview(ctx: Ctx, { activity: id, waived }: CreateInput<typeof activityReviewShape>): Promise<string> {
  const [found] = await loadActivities(ctx, [id])
  if (!found) throw new AppError('not-found')
  await requireEditableProject(ctx, found.activity.projectId)
  if (isActivityShown(found.activity.status)) {
    const draft = await findDraftRevision(ctx, ACTIVITY_CONTENT, id)
    if (!draft) throw new AppError('conflict')
    await publishRevision(ctx, ACTIVITY_CONTENT, draft, { waived, asksOnly: true })
  } else await askAboutWhole(ctx, found, waived)
  return id
}

/** As long as nothing of it is public, the draft is in the activity's row. */
async function askAboutWhole(ctx: Ctx, { activity, project }: PlacedActivity, waived: readonly string[] | undefined): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const head = await activityHistory.lockHead(ctx, tx, activity.id)
    await assertPublishable(ctx, activity, false)
    const texts = listTextsOf(activity, await loadStatusTitles(ctx, tx, activity.id))
    await checkTranslations(ctx, tx, { subjectId: activity.id, before: texts, after: texts, wasPublic: false, isPublic: true, waived })
    await requestReview(ctx, tx, ACTIVITY_REVIEWS, { id: activity.id, revisionId: head.draftId, title: activity.title, project })
  })
}
