import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { waivedSchema } from '#app/lib/waived-schema.ts'

const MAX_RETURN_REASON = 1000

const nullableName = v.nullable(v.string())
const nullableTime = v.nullable(timestampSchema)

/** Why it was returned: to return a request that waits, send it. The person who asked is told. */
export const returnReasonAttribute = attribute(
  v.nullable(v.pipe(v.string(), v.trim(), v.minLength(1, 'required'), v.maxLength(MAX_RETURN_REASON))),
  { update: true },
)

/** What each review of a draft says, whatever the draft is of. */
export const reviewAttributes = {
  /** `in_review` until a colleague publishes or returns it, or the person who asked withdraws the request. */
  status: attribute(v.picklist(['in_review', 'returned'])),
  askedAt: attribute(nullableTime),
  /** Null once the account is gone. */
  askedBy: attribute(nullableName),
  /** When the draft was last changed after the request; null if it is as it was. */
  changedAt: attribute(nullableTime),
  changedBy: attribute(nullableName),
  /** When it was returned, if it was. */
  returnedAt: attribute(nullableTime),
  returnedBy: attribute(nullableName),
  returnReason: returnReasonAttribute,
  /** Names of texts that are knowingly missing, as the refusal to publish gives them. */
  waived: attribute(waivedSchema, { read: false, create: 'optional' }),
}

export const reviewFilters = { project: filter.id(), waiting: filter.flag() }

export const reviewSorting = { sorts: ['askedAt'], defaultSort: 'askedAt' } as const
