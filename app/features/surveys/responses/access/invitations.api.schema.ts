import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { INVITATION_KINDS, MAX_CODES, MAX_LINKS } from './invitations.schema.ts'

const emailSchema = v.pipe(v.string(), v.trim(), v.maxLength(254), v.toLowerCase(), v.email())

/** Codes made, or personal links sent, at one time. DELETE withdraws those that were not used. */
export const invitationBatchShape = resourceShape({
  type: 'survey-invitation-batches',
  summary: 'One-time codes and personal links to answer a survey, each time they were made',
  operations: ['list', 'get', 'create', 'remove'],
  body: { bytes: 600_000 },
  attributes: {
    kind: attribute(v.picklist(INVITATION_KINDS), { create: 'required' }),
    /** How many codes to make. */
    count: attribute(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_CODES)), { read: false, create: 'optional' }),
    /** Whom to send personal links to: these addresses, and the people of this group. */
    emails: attribute(v.pipe(v.array(emailSchema), v.maxLength(MAX_LINKS)), { read: false, create: 'optional' }),
    groupId: attribute(idSchema, { read: false, create: 'optional' }),
    total: attribute(v.number()),
    /** How many of them have answered; null where so few would tell who has. */
    used: attribute(v.nullable(v.number())),
    createdAt: attribute(timestampSchema),
    /** Told once, in answer to making them: nobody can read them again. */
    codes: attribute(v.array(v.string()), { read: 'sometimes' }),
    /** Where each code leads to when it is put after it, for letters with a square code. */
    address: attribute(v.string(), { read: 'sometimes' }),
    /** People who were invited before and got no second link, told once. */
    skipped: attribute(v.number(), { read: 'sometimes' }),
    /** More people are in the group than are written to at once. */
    more: attribute(v.boolean(), { read: 'sometimes' }),
  },
  relationships: { survey: toOne('surveys', { create: 'required', nullable: false }) },
  filters: { survey: filter.id() },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'survey-invitation-batches': typeof invitationBatchShape
  }
}
