/** Screens of the administration that have a help page: the part of their address after `/admin`, and `dashboard`. */
export const HELP_SCREENS = [
  'dashboard',
  'projects',
  'surveys',
  'contributions',
  'moderation',
  'calendar',
  'tasks',
  'reports',
  'city-data',
  'homepage',
  'pages',
  'hubs',
  'media',
  'appearance',
  'embeds',
  'people',
  'newsletters',
  'campaigns',
  'outbox',
  'settings',
  'languages',
  'marketplace',
  'sign-in',
  'api-tokens',
  'support',
  'sites',
  'features',
  'health',
  'audit',
  'privacy',
] as const
export type HelpScreen = (typeof HELP_SCREENS)[number]

/** The screen that an address belongs to: updates are part of projects, and anything unknown of the dashboard. */
export function findHelpScreen(pathname: string): HelpScreen {
  const part = pathname.split('/')[2]
  if (part === 'updates') return 'projects'
  return HELP_SCREENS.find((screen) => screen === part) ?? 'dashboard'
}
