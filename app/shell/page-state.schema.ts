import type { Language } from '#app/lib/languages.ts'
import type { Role } from '#app/lib/roles.ts'
import type { Translated } from '#app/lib/translated.ts'

/** `currentUser.user` of the page state. */
export interface CurrentUser {
  id: string
  email: string
  login: string
  roleName: Role | 'participant'
  type: 'participant' | 'administrator'
  /** ISO 8601. */
  lastSeenAt: string | null
}

/** `currentSite.site` of the page state. */
export interface CurrentSite {
  id: string
  name: string
  region: string
  locale: Language
  /** Revisions of the site's own homepage that have been published, newest first. */
  publishedHomePageRevisions: { id: string; publishedAt: string }[]
}

/** What pages need of the site besides `currentSite.site`. */
export interface SiteSettings {
  languages: Language[]
  timeZone: string
  tagline: Translated
  contactEmail: string | null
  /** Text of the style element with the site's colours. */
  themeStyle: string
  /** Of the browser's own bar. */
  themeColors: { light: string; dark: string }
  /** The mark in the browser's tab: a file of the site. */
  favicon: string | null
  /** Of a site that is always light or always dark. */
  themeScheme: 'light' | 'dark' | null
  consentRequired: boolean
}
