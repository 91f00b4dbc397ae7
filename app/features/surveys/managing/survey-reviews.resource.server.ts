import {
  listReviews,
  loadReviews,
  mayReview,
  mayWithdraw,
  returnReview,
  toReviewAttributes,
  withdrawReview,
} from '#app/features/reviews/reviews.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { SURVEY_REVIEWS } from '../surveys.reviews.server.ts'
import { surveyReviewShape } from './survey-reviews.api.schema.ts'
import { askForSurveyReview } from './survey-reviews.server.ts'

export const surveyReviewResource = implementResource(surveyReviewShape, {
  load: (ctx, ids) => loadReviews(ctx, SURVEY_REVIEWS, ids),
  list: (ctx, { filter: { survey, ...filter }, page }) => listReviews(ctx, SURVEY_REVIEWS, { ...filter, id: survey, page }),
  can: (ctx, row) => ({ review: mayReview(ctx, SURVEY_REVIEWS, row), remove: mayWithdraw(ctx, row) }),
  attributes: toReviewAttributes,
  relationships: { survey: { id: (row) => row.id, alwaysVisible: 'in-scope' }, revision: { id: (row) => row.revisionId } },
  create: askForSurveyReview,
  update: async (ctx, row, { returnReason }) => {
    if (returnReason) await returnReview(ctx, SURVEY_REVIEWS, row, returnReason)
  },
  remove: (ctx, row) => withdrawReview(ctx, SURVEY_REVIEWS, row),
})
