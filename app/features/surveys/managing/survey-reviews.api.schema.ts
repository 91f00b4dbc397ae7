import * as v from 'valibot'
import { reviewAttributes, reviewFilters, reviewSorting } from '#app/features/reviews/reviews.api.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'

export const surveyReviewShape = resourceShape({
  type: 'survey-reviews',
  summary:
    'The latest request to look at the draft of a survey before it is published; the id is the survey’s. POST asks, publishing the draft approves it, PATCH with `returnReason` returns it, DELETE withdraws one’s own request',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  can: ['review', 'remove'],
  attributes: {
    ...reviewAttributes,
    /** The lock version to ask about: refused as `stale` if the draft was saved again since. */
    onLockVersion: attribute(v.number(), { read: false, create: 'optional' }),
  },
  relationships: {
    survey: toOne('surveys', { create: 'required', nullable: false }),
    /** The draft as it is now. */
    revision: toOne('survey-revisions'),
  },
  filters: { ...reviewFilters, survey: filter.id() },
  ...reviewSorting,
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'survey-reviews': typeof surveyReviewShape
  }
}
