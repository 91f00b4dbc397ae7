/** Features whose state is sent to every page. */
export const FEATURES = [
  'marketplace_sms_integration',
  'show_revised_survey',
  'segment_analytics_admin',
  'segment_analytics_participant',
] as const
export type FeatureName = (typeof FEATURES)[number]

/** Features granted to a site; pages get the list of enabled ones. */
export const SITE_FEATURES = ['whitelist-embed'] as const
export type SiteFeatureName = (typeof SITE_FEATURES)[number]

export type Features = Record<FeatureName, { enabled: boolean }>

export const SWITCHABLE_FEATURES = [...FEATURES, ...SITE_FEATURES] as const
export type SwitchableFeature = (typeof SWITCHABLE_FEATURES)[number]

/** A site can follow the platform's default; the platform itself must be on or off. */
export const SWITCH_SETTINGS = ['on', 'off', 'platform'] as const
export type SwitchSetting = (typeof SWITCH_SETTINGS)[number]
