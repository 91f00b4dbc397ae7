import type { ContentLanguage, Language } from '#app/lib/languages.ts'
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
  /** Published revisions of the site's own homepage, newest first. */
  publishedHomePageRevisions: { id: string; publishedAt: string }[]
}

/** What pages need from the site besides `currentSite.site`. */
export interface SiteSettings {
  languages: Language[]
  /** The same, and those that the site added for its content. */
  contentLanguages: ContentLanguage[]
  /** What speakers of each call it: browsers may know fewer names. */
  languageNames: Partial<Record<ContentLanguage, string>>
  timeZone: string
  tagline: Translated
  contactEmail: string | null
  /** Content of the style element with the site's colours. */
  themeStyle: string
  /** Colours of the browser's own toolbar. */
  themeColors: { light: string; dark: string }
  /** Path of a file of the site. */
  favicon: string | null
  /** Set if the site is always light or always dark. */
  themeScheme: 'light' | 'dark' | null
  consentRequired: boolean
}
