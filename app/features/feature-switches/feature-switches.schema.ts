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

/** Every name there is a switch for. */
export const SWITCHABLE_FEATURES = [...FEATURES, ...SITE_FEATURES] as const
export type SwitchableFeature = (typeof SWITCHABLE_FEATURES)[number]

/** How a switch stands: a site may leave it to the platform, the platform must say. */
export const SWITCH_SETTINGS = ['on', 'off', 'platform'] as const
export type SwitchSetting = (typeof SWITCH_SETTINGS)[number]
