import * as v from 'valibot'

/** Switches by name, told to every page with their state on its site. */
export const FEATURES = [
  'marketplace_sms_integration',
  'show_revised_survey',
  'segment_analytics_admin',
  'segment_analytics_participant',
] as const
export type FeatureName = (typeof FEATURES)[number]

/** What a site has been given besides: told as the list of those that are on. */
export const SITE_FEATURES = ['whitelist-embed'] as const
export type SiteFeatureName = (typeof SITE_FEATURES)[number]

export type Features = Record<FeatureName, { enabled: boolean }>

export const switchSchema = v.strictObject({ name: v.picklist([...FEATURES, ...SITE_FEATURES]), enabled: v.boolean() })
export type Switch = v.InferOutput<typeof switchSchema>
