import * as v from 'valibot'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { ADDRESSES_PER_PAGE } from './outbox.schema.ts'

export const mailAddressShape = resourceShape({
  type: 'mail-addresses',
  summary: 'Email addresses that refused the site’s emails. DELETE lets emails be sent there again',
  operations: ['list', 'get', 'remove'],
  attributes: {
    address: attribute(v.string()),
    /** When we stopped sending anything but account emails; null while failures are only being counted. */
    stoppedAt: attribute(v.nullable(timestampSchema)),
    /** Consecutive soft failures; the third stops delivery. */
    softFailures: attribute(v.number()),
    /** True if the failure came in a bounce report after the mail had been accepted. */
    reported: attribute(v.boolean()),
    /** As worded by the refusing mail server. */
    reason: attribute(v.nullable(v.string())),
    updatedAt: attribute(timestampSchema),
  },
  page: { size: ADDRESSES_PER_PAGE, max: 100 },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'mail-addresses': typeof mailAddressShape
  }
}
