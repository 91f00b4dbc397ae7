import * as v from 'valibot'
import { LANGUAGES } from '#app/lib/languages.ts'
import { idSchema } from '#app/lib/uuid.ts'

/** How a campaign reaches people. */
export type Channel = 'sms' | 'email'

/** `preparing`: its messages are being written into the outbox; `done`: none of them is on its way any more. */
export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'preparing', 'sending', 'paused', 'done', 'cancelled'] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

/** What narrows a campaign's audience. */
export const audienceSchema = v.strictObject({
  group: v.optional(idSchema),
  topic: v.optional(idSchema),
  /** Where they live: of those who said so for this. */
  area: v.optional(idSchema),
  language: v.optional(v.picklist(LANGUAGES)),
})
export type Audience = v.InferOutput<typeof audienceSchema>

/** Of what narrows an audience, what can vanish. */
export const AUDIENCE_FILTERS = ['topic', 'area', 'group'] as const
export type AudienceFilter = (typeof AUDIENCE_FILTERS)[number]
/** What each that narrows an audience is called: null where it no longer exists, empty where the viewer may not see it. */
const filterNameSchema = v.optional(v.nullable(v.string()))
export const audienceNamesSchema = v.object({ topic: filterNameSchema, area: filterNameSchema, group: filterNameSchema })
export type AudienceNames = Partial<Record<AudienceFilter, string | null>>

/** The longest that a campaign may be before anybody's name is in it. */
export const MAX_BODY_LENGTH = 800
