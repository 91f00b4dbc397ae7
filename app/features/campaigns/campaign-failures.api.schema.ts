import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { FAILURE_OUTCOMES } from '#app/lib/vocabulary/campaigns.ts'

export const campaignFailureShape = resourceShape({
  type: 'campaign-failures',
  summary: 'The messages of a text message campaign or a newsletter that did not reach their person, with the reason',
  operations: ['list'],
  attributes: {
    /** Null if the account was deleted since. */
    personId: attribute(v.nullable(idSchema)),
    name: attribute(v.nullable(v.string())),
    /** An email address, or the last digits of a phone number. */
    address: attribute(v.string()),
    outcome: attribute(v.picklist(FAILURE_OUTCOMES)),
    /** Code of the reason, as in errors. */
    fault: attribute(v.nullable(v.string())),
    at: attribute(timestampSchema),
  },
  filters: { campaign: filter.id() },
  page: { size: 20, max: 100 },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'campaign-failures': typeof campaignFailureShape
  }
}
