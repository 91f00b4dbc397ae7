import * as v from 'valibot'
import { returnReasonAttribute } from '#app/features/reviews/reviews.api.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'

export const projectReviewShape = resourceShape({
  type: 'project-reviews',
  summary:
    'The latest request to look at a project, or at changes of it, before they are published; the id is the project’s. PATCH with `returnReason` returns it',
  operations: ['list', 'get', 'update'],
  can: ['return'],
  attributes: {
    /** Nobody has published or returned it yet. */
    isWaiting: attribute(v.boolean()),
    /** It is about changes of a project that is public, not about the whole project. */
    isOfChanges: attribute(v.boolean()),
    askedAt: attribute(timestampSchema),
    /** Null once the account is gone. */
    askedBy: attribute(v.nullable(v.string())),
    /** When the draft was last changed after the request; null if it is as it was. */
    changedAt: attribute(v.nullable(timestampSchema)),
    changedBy: attribute(v.nullable(v.string())),
    /** When it was returned, if it was. */
    returnedAt: attribute(v.nullable(timestampSchema)),
    returnedBy: attribute(v.nullable(v.string())),
    returnReason: returnReasonAttribute,
  },
  relationships: { project: toOne('projects', { nullable: false }) },
  filters: {
    project: filter.id(),
    waiting: filter.flag(),
  },
  sorts: ['askedAt'],
  defaultSort: 'askedAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'project-reviews': typeof projectReviewShape
  }
}
