import { createReviewHandlers, listReviews } from '#app/features/reviews/reviews.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { SURVEY_REVIEWS } from '../surveys.reviews.server.ts'
import { surveyReviewShape } from './survey-reviews.api.schema.ts'
import { askForSurveyReview } from './survey-reviews.server.ts'

export const surveyReviewResource = implementResource(surveyReviewShape, {
  ...createReviewHandlers(SURVEY_REVIEWS),
  list: (ctx, { filter: { survey, ...filter }, page }) => listReviews(ctx, SURVEY_REVIEWS, { ...filter, id: survey, page }),
  relationships: { survey: { id: (row) => row.id, alwaysVisible: 'in-scope' }, revision: { id: (row) => row.revisionId } },
  create: askForSurveyReview,
})
