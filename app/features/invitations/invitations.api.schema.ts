import * as v from 'valibot'
import { createTranslatedSchema } from '#app/lib/translated-schema.ts'
import { hasText } from '#app/lib/translated.ts'
import { attribute } from '#app/lib/api-client/resource-shape.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { INVITATION_KINDS, MAX_CODES, MAX_LINKS, MAX_LIST_NAME, MAX_POPULATION, MIN_SAMPLE } from './invitations.schema.ts'

const emailSchema = v.pipe(v.string(), v.trim(), v.maxLength(254), v.toLowerCase(), v.email())

const countSchema = (most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(MIN_SAMPLE, 'out-of-range'), v.maxValue(most, 'out-of-range'))

/** The random sample that received the letters of a batch; null if the letters were not sent to a random sample, or it is unknown. */
export const letterSampleSchema = v.nullable(
  v.strictObject({
    sent: countSchema(MAX_CODES),
    population: countSchema(MAX_POPULATION),
    list: v.pipe(createTranslatedSchema(MAX_LIST_NAME), v.check(hasText, 'required')),
  }),
)

/** Of a batch for a survey or an activity. */
export const invitationBatchAttributes = {
  kind: attribute(v.picklist(INVITATION_KINDS), { create: 'required' }),
  /** Number of codes to create. */
  count: attribute(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_CODES)), { read: false, create: 'optional' }),
  /** Recipients of personal links: these addresses plus the people in this group. */
  emails: attribute(v.pipe(v.array(emailSchema), v.maxLength(MAX_LINKS)), { read: false, create: 'optional' }),
  groupId: attribute(idSchema, { read: false, create: 'optional' }),
  total: attribute(v.number()),
  /** How many have answered; null if there are so few that the number would identify them, and for activities. */
  used: attribute(v.nullable(v.number())),
  createdAt: attribute(timestampSchema),
  /** Returned once, when they are created. Only hashes are stored. */
  codes: attribute(v.array(v.string()), { read: 'sometimes' }),
  /** URL prefix to put before each code, for QR codes in letters. */
  address: attribute(v.string(), { read: 'sometimes' }),
  /** People who were already invited and got no second link. Returned on creation only. */
  skipped: attribute(v.number(), { read: 'sometimes' }),
  /** True if the group has more people than one request can email. */
  more: attribute(v.boolean(), { read: 'sometimes' }),
}
