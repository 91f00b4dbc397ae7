import * as v from 'valibot'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'
import { idSchema } from '#app/lib/uuid.ts'

export type Channel = 'sms' | 'email'

export const audienceSchema = v.strictObject({
  group: v.optional(idSchema),
  topic: v.optional(idSchema),
  /** Area of residence: only people who consented to this use. */
  area: v.optional(idSchema),
  language: v.optional(v.picklist(CONTENT_LANGUAGES)),
})
export type Audience = v.InferOutput<typeof audienceSchema>

/** Filters that refer to something that can be deleted. */
export const AUDIENCE_FILTERS = ['topic', 'area', 'group'] as const
export type AudienceFilter = (typeof AUDIENCE_FILTERS)[number]
/** Name of a filter: null if it no longer exists, empty if the viewer may not see it. */
const filterNameSchema = v.optional(v.nullable(v.string()))
export const audienceNamesSchema = v.object({ topic: filterNameSchema, area: filterNameSchema, group: filterNameSchema })
export type AudienceNames = Partial<Record<AudienceFilter, string | null>>

/** Maximum length before names are merged in. */
export const MAX_BODY_LENGTH = 800
