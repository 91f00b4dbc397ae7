/** Text files in `locales/{language}/`. A page loads `common` and those its routes list in `staticData.namespaces`. */
export const NAMESPACES = [
  'common',
  'cookies',
  'participant',
  'account',
  'survey',
  'survey-access',
  'survey-admin',
  'survey-data',
  'admin',
  'editor',
  'embeds',
  'marketplace',
  'media',
  'people',
  'platform',
  'reach',
  'sms',
  'letters',
  'errors',
  'mail',
  'city-data',
  'city-admin',
  'switches',
] as const
export type Namespace = (typeof NAMESPACES)[number]
export const DEFAULT_NAMESPACE = 'common' satisfies Namespace
