import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape } from '#app/lib/api-client/resource-shape.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { timestampSchema } from '#app/lib/timestamp.ts'
import { SMS_DIRECTIONS, SMS_FAULTS, SMS_PURPOSES, SMS_STATUSES } from '#app/lib/vocabulary/sms.ts'
import { MAX_SMS_LENGTH } from './sms.schema.ts'

export const smsMessageShape = resourceShape({
  type: 'sms-messages',
  summary: 'Text messages sent and received. POST sends a test message',
  operations: ['list', 'get', 'create'],
  attributes: {
    direction: attribute(v.picklist(SMS_DIRECTIONS)),
    purpose: attribute(v.picklist(SMS_PURPOSES)),
    status: attribute(v.picklist(SMS_STATUSES)),
    /** E.164 in responses; accepts the notation of the site's region. */
    phone: attribute(v.pipe(v.string(), v.trim(), v.minLength(3), v.maxLength(40)), { create: 'required' }),
    body: attribute(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_SMS_LENGTH)), { create: 'required' }),
    language: attribute(v.picklist(CONTENT_LANGUAGES)),
    segments: attribute(v.number()),
    integration: attribute(v.nullable(v.string())),
    fault: attribute(v.nullable(v.picklist(SMS_FAULTS))),
    attempts: attribute(v.number()),
    createdAt: attribute(timestampSchema),
    sentAt: attribute(v.nullable(timestampSchema)),
    settledAt: attribute(v.nullable(timestampSchema)),
  },
  filters: { status: filter.choices(SMS_STATUSES), direction: filter.choice(SMS_DIRECTIONS), phone: filter.text(40) },
  page: { size: 25, max: 100 },
})

export const sandboxTextShape = resourceShape({
  type: 'sandbox-texts',
  summary: 'Receives a text message in the sandbox, as if it came from a phone',
  operations: ['create'],
  attributes: {
    phone: attribute(v.pipe(v.string(), v.trim(), v.minLength(3), v.maxLength(40)), { create: 'required' }),
    body: attribute(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(MAX_SMS_LENGTH)), { create: 'required' }),
  },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'sandbox-texts': typeof sandboxTextShape
    'sms-messages': typeof smsMessageShape
  }
}
