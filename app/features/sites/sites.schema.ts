import type { ContentLanguage, Language } from '#app/lib/languages.ts'
import type { SiteLook } from '#app/features/appearance/site-look.schema.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'

/** A site's state, as platform administrators see it. */
export const SITE_STATES = ['active', 'suspended', 'moving', 'moved', 'leaving'] as const
export type SiteState = (typeof SITE_STATES)[number]

export const SITE_SORTS = ['name', 'region', 'createdAt'] as const

/** The frame around every participant page, in addition to the page state, and the source of its head. */
export interface SiteFrame {
  name: string
  tagline: LocalisedText
  /** The language of this page's content, then the site's own, then all it offers. */
  language: ContentLanguage
  locale: Language
  languages: ContentLanguage[]
  contactEmail: string | null
  /** The site's country, e.g. `Canada`. */
  region: string
  /** Scheme, host and port of the site's URLs. */
  origin: string
  /** Logo, header, navigation and footer of the published appearance. */
  look: SiteLook
  /** True if there is city data to see. */
  data: boolean
  pages: { slug: string; title: LocalisedText; legal: boolean }[]
}
