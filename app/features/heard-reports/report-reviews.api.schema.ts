import * as v from 'valibot'
import { MAX_RETURN_REASON } from '#app/features/projects/reviews/project-reviews.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'

const nullableName = v.nullable(v.string())

export const heardReportReviewShape = resourceShape({
  type: 'heard-report-reviews',
  summary:
    'The latest request to agree to the draft of a project’s report; the id is the project’s. POST asks, publishing the version agrees, PATCH with `returnReason` returns it, DELETE withdraws one’s own request',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  can: ['review', 'remove'],
  attributes: {
    /** `in_review` until a colleague publishes or returns it, or the draft changes. */
    status: attribute(v.picklist(['in_review', 'returned'])),
    askedAt: attribute(v.nullable(timestampSchema)),
    /** Null once the account is gone. */
    askedBy: attribute(nullableName),
    /** When it was returned, if it was. */
    returnedAt: attribute(v.nullable(timestampSchema)),
    returnedBy: attribute(nullableName),
    /** Why it was returned: to return a request that waits, send it. Who asked is told. */
    returnReason: attribute(v.nullable(v.pipe(v.string(), v.trim(), v.minLength(1, 'required'), v.maxLength(MAX_RETURN_REASON))), {
      update: true,
    }),
    /** Names of texts that are knowingly missing, as the refusal to publish gives them. */
    waived: attribute(waivedSchema, { read: false, create: 'optional' }),
  },
  relationships: {
    project: toOne('projects', { nullable: false }),
    /** The draft that is to be published. */
    revision: toOne('heard-report-revisions', { create: 'required' }),
  },
  filters: { project: filter.id(), waiting: filter.flag() },
  sorts: ['askedAt'],
  defaultSort: 'askedAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'heard-report-reviews': typeof heardReportReviewShape
  }
}
