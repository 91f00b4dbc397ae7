import * as v from 'valibot'
import { filter } from '#app/lib/api-client/filters.ts'
import { attribute, resourceShape, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { instantSchema, timestampSchema } from '#app/lib/timestamp.ts'
import { idSchema } from '#app/lib/uuid.ts'
import { CURRENCIES } from '#app/features/marketplace/marketplace.schema.ts'
import { CAMPAIGN_STATUSES } from '#app/lib/vocabulary/campaigns.ts'
import { audienceSchema, audienceNamesSchema, MAX_BODY_LENGTH } from '../campaigns.schema.ts'

const changeable = { create: 'optional', update: true } as const
const whole = v.number()

export const smsCampaignShape = resourceShape({
  type: 'sms-campaigns',
  summary: 'Text message campaigns: one message, in each language, to everyone in an audience who agreed to text messages',
  operations: ['list', 'get', 'create', 'update', 'remove'],
  locked: true,
  can: ['update', 'send'],
  attributes: {
    name: attribute(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(120)), { create: 'required', update: true }),
    /** May contain {{name}}, {{site}} and {{link}}. */
    body: translated({ max: MAX_BODY_LENGTH, ...changeable }),
    audience: attribute(audienceSchema, changeable),
    /** Names of the audience's filters: null if one no longer exists. Nothing is sent then. */
    chosen: attribute(audienceNamesSchema),
    status: attribute(v.picklist(CAMPAIGN_STATUSES)),
    sendAt: attribute(v.nullable(timestampSchema)),
    finishedAt: attribute(v.nullable(timestampSchema)),
    /** Messages written; once it is over, `accepted`, `failed` and `skipped` add up to `prepared`. */
    counts: attribute(v.object({ prepared: whole, waiting: whole, accepted: whole, delivered: whole, failed: whole, skipped: whole })),
    /** Paused automatically, because it would have exceeded the monthly limit. */
    overLimit: attribute(v.boolean()),
    createdAt: attribute(timestampSchema),
  },
  relationships: {
    hub: toOne('hubs', { create: 'optional' }),
    project: toOne('projects', { create: 'optional' }),
    /** The text ends with the first question of this survey, which must accept text messages and belong to the same place. */
    survey: toOne('surveys', { create: 'optional', update: true }),
  },
  page: { size: 25, max: 100 },
})

export const smsEstimateShape = resourceShape({
  type: 'sms-estimates',
  summary: 'How many people a campaign would reach now, and with how many text messages. Has the id of the campaign',
  operations: ['get'],
  attributes: {
    recipients: attribute(whole),
    segments: attribute(whole),
    languages: attribute(v.array(v.object({ language: v.picklist(CONTENT_LANGUAGES), recipients: whole, segments: whole }))),
    /** How many more would be reached without the area filter, because they gave no area for this; null without that filter. */
    withoutArea: attribute(v.nullable(whole)),
    /** Estimated from the SMS service's price; null if none is set. */
    cost: attribute(v.nullable(v.object({ amount: v.number(), currency: v.picklist(CURRENCIES) }))),
    /** The site's monthly limit, and how much of it is used or reserved; null without a limit. */
    credit: attribute(v.nullable(v.object({ limit: whole, used: whole }))),
  },
})

export const smsRecipientShape = resourceShape({
  type: 'sms-recipients',
  summary: 'Everyone a campaign would reach now, with the text they would get',
  operations: ['list'],
  attributes: {
    login: attribute(v.string()),
    phone: attribute(v.string()),
    language: attribute(v.picklist(CONTENT_LANGUAGES)),
    body: attribute(v.string()),
  },
  filters: { campaign: filter.id() },
  page: { size: 20, max: 100 },
})

export const smsSendingShape = resourceShape({
  type: 'sms-sendings',
  summary:
    'A campaign that goes out: POST sends it now or at its time, PATCH pauses and resumes, DELETE gives up what is left. It has the id of its campaign',
  operations: ['get', 'create', 'update', 'remove'],
  attributes: {
    sendAt: attribute(v.nullable(instantSchema), { read: false, create: 'optional' }),
    paused: attribute(v.boolean(), { update: true }),
  },
  relationships: { campaign: toOne('sms-campaigns', { create: 'required' }) },
})

export const smsTestShape = resourceShape({
  type: 'sms-tests',
  summary: 'Sends a campaign’s text message to your own phone, as a test',
  operations: ['create'],
  id: idSchema,
  attributes: { language: attribute(v.picklist(CONTENT_LANGUAGES), { create: 'required' }) },
  relationships: { campaign: toOne('sms-campaigns', { create: 'required' }) },
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'sms-campaigns': typeof smsCampaignShape
    'sms-estimates': typeof smsEstimateShape
    'sms-recipients': typeof smsRecipientShape
    'sms-sendings': typeof smsSendingShape
    'sms-tests': typeof smsTestShape
  }
}
