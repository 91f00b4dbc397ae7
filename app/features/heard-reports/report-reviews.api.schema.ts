import { reviewAttributes, reviewFilters, reviewSorting } from '#app/features/reviews/reviews.api.schema.ts'
import { resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'

export const heardReportReviewShape = resourceShape({
  type: 'heard-report-reviews',
  summary:
    'The latest request to agree to the draft of a project’s report; the id is the project’s. POST asks, publishing the version agrees, PATCH with `returnReason` returns it, DELETE withdraws one’s own request',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  can: ['review', 'remove'],
  attributes: reviewAttributes,
  relationships: {
    project: toOne('projects', { nullable: false }),
    /** The draft that is to be published. */
    revision: toOne('heard-report-revisions', { create: 'required' }),
  },
  filters: reviewFilters,
  ...reviewSorting,
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'heard-report-reviews': typeof heardReportReviewShape
  }
}
