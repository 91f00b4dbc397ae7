import { requestReview } from '#app/features/reviews/reviews.server.ts'
import type { CreateInput } from '#app/lib/api-client/resource-types.ts'
import type { Ctx } from '#app/server/context.ts'
import { requireSurveyFor } from '../surveys.policy.server.ts'
import { SURVEY_REVIEWS } from '../surveys.reviews.server.ts'
import { lockPublishableDraft } from './publishing.server.ts'
import type { surveyReviewShape } from './survey-reviews.api.schema.ts'

/**
 * Asks a colleague who may publish the survey to look at its draft, which has to be as complete as for publication.
 * @returns the survey's id
 * @throws {AppError} `not-found`, `forbidden`, `stale`; `conflict` if it waits already; `already-published` if the draft is identical to the
 * published version; `invalid` with everything that prevents publishing
 */
export async function askForSurveyReview(ctx: Ctx, input: CreateInput<typeof surveyReviewShape>): Promise<string> {
  await ctx.db.tx(async (tx) => {
    const { survey: found, project } = await requireSurveyFor(ctx, tx, 'projects.edit', input.survey)
    const { survey } = await lockPublishableDraft(ctx, tx, found, input)
    await requestReview(ctx, tx, SURVEY_REVIEWS, { id: survey.id, revisionId: survey.draftRevisionId, title: survey.title, project })
  })
  return input.survey
}
