/** Settings of the support chat widget; null if neither the site nor the platform has one. */
export interface IntercomSettings {
  appId: string
  /** API endpoint of the widget; null for Intercom's own. */
  endpoint: string | null
  /** Number of published appearance revisions, passed to the widget. */
  publishedAppearanceRevisions: number
  /** True if the site can send text messages; passed to the widget. */
  smsIntegrationEnabled: boolean
}

export interface LibrariesDetails {
  intercom: IntercomSettings | null
}

/** Runtime configuration for the browser, from the site or the installation. Contains no secrets, and nothing is fixed at build time. */
export interface PublicConfig {
  segment: { writeKey: string; endpoint: string | null; apiHost: string | null } | null
  sentry: { dsn: string; tunnel: string | null } | null
  /** API endpoint in development; null for the page's own host. */
  apiEndpoint: string | null
}
