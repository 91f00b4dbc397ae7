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
import { ACTIVITY_REVIEWS } from '../record/activity-reviews.server.ts'
import { activityReviewShape } from './activity-reviews.api.schema.ts'
import { askForActivityReview } from './activity-reviews.server.ts'

export const activityReviewResource = implementResource(activityReviewShape, {
  load: (ctx, ids) => loadReviews(ctx, ACTIVITY_REVIEWS, ids),
  list: (ctx, { filter: { activity, ...filter }, page }) => listReviews(ctx, ACTIVITY_REVIEWS, { ...filter, id: activity, page }),
  can: (ctx, row) => ({ review: mayReview(ctx, ACTIVITY_REVIEWS, row), remove: mayWithdraw(ctx, row) }),
  attributes: toReviewAttributes,
  relationships: { activity: { id: (row) => row.id, alwaysVisible: 'in-scope' }, revision: { id: (row) => row.revisionId } },
  create: askForActivityReview,
  update: async (ctx, row, { returnReason }) => {
    if (returnReason) await returnReview(ctx, ACTIVITY_REVIEWS, row, returnReason)
  },
  remove: (ctx, row) => withdrawReview(ctx, ACTIVITY_REVIEWS, row),
})
