import * as v from 'valibot'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { ADDRESSES_PER_PAGE } from './outbox.schema.ts'

export const mailAddressShape = resourceShape({
  type: 'mail-addresses',
  summary: 'Addresses that did not take mails of the site. DELETE forgets that: mails go to it again',
  operations: ['list', 'get', 'remove'],
  attributes: {
    address: attribute(v.string()),
    /** Since when nothing but mails about the account goes to it; null while its failures are only counted. */
    stoppedAt: attribute(v.nullable(timestampSchema)),
    /** Mails in a row that it did not take; the third stops. */
    softFailures: attribute(v.number()),
    /** Told by a report after the mail was taken, not refused at once. */
    reported: attribute(v.boolean()),
    /** In the words of the mail server that refused. */
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
