/** What the customer-support chat widget is started with; null where neither the site nor the platform has one. */
export interface IntercomSettings {
  appId: string
  /** Where the widget talks to, if not to Intercom's own address. */
  endpoint: string | null
  /** Revisions of the appearance that the site has published: the widget is told whether there are any. */
  publishedAppearanceRevisions: number
  /** Whether the site can send texts: the widget is told. */
  smsIntegrationEnabled: boolean
}

export interface LibrariesDetails {
  intercom: IntercomSettings | null
}

/** What the browser needs of the configuration, the site's own or the installation's. Nothing of it is secret, nothing is set when building. */
export interface PublicConfig {
  segment: { writeKey: string; endpoint: string | null; apiHost: string | null } | null
  sentry: { dsn: string; tunnel: string | null } | null
  /** Development endpoint of the API; null for the page's own host. */
  apiEndpoint: string | null
}
