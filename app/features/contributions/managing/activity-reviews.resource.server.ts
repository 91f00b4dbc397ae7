import { createReviewHandlers, listReviews } from '#app/features/reviews/reviews.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { ACTIVITY_REVIEWS } from '../record/activity-reviews.server.ts'
import { activityReviewShape } from './activity-reviews.api.schema.ts'
import { askForActivityReview } from './activity-reviews.server.ts'

export const activityReviewResource = implementResource(activityReviewShape, {
  ...createReviewHandlers(ACTIVITY_REVIEWS),
  list: (ctx, { filter: { activity, ...filter }, page }) => listReviews(ctx, ACTIVITY_REVIEWS, { ...filter, id: activity, page }),
  relationships: { activity: { id: (row) => row.id, alwaysVisible: 'in-scope' }, revision: { id: (row) => row.revisionId } },
  create: askForActivityReview,
})
