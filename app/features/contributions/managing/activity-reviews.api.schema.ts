import { reviewAttributes, reviewFilters, reviewSorting } from '#app/features/reviews/reviews.api.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'

export const activityReviewShape = resourceShape({
  type: 'activity-reviews',
  summary:
    'The latest request to look at the draft of an activity before it is published; the id is the activity’s. POST asks, publishing the activity or its changes approves it, PATCH with `returnReason` returns it, DELETE withdraws one’s own request',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  can: ['review', 'remove'],
  attributes: reviewAttributes,
  relationships: {
    activity: toOne('activities', { create: 'required', nullable: false }),
    /** The draft as it is now; null if the activity was not changed since it was created. */
    revision: toOne('activity-revisions'),
  },
  filters: { ...reviewFilters, activity: filter.id() },
  ...reviewSorting,
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'activity-reviews': typeof activityReviewShape
  }
}
