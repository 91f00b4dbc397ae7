import { implementResource } from '#app/server/api/implement.ts'
import { projectReviewShape } from './project-reviews.api.schema.ts'
import { listReviews, loadReviews, mayReturn, returnReview } from './project-reviews.server.ts'

export const projectReviewResource = implementResource(projectReviewShape, {
  load: loadReviews,
  list: listReviews,
  can: (ctx, row) => ({ return: mayReturn(ctx, row) }),
  attributes: ({ isWaiting, isOfChanges, askedAt, askedBy, changedAt, changedBy, returnedAt, returnedBy, returnReason }) => ({
    isWaiting,
    isOfChanges,
    askedAt,
    askedBy,
    changedAt,
    changedBy,
    returnedAt,
    returnedBy,
    returnReason,
  }),
  relationships: { project: { id: (row) => row.id } },
  update: async (ctx, row, { returnReason }) => {
    if (returnReason) await returnReview(ctx, row, returnReason)
  },
})
