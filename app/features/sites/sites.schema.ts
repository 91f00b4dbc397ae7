import type { Language } from '#app/lib/languages.ts'
import type { SiteLook } from '#app/features/appearance/site-look.schema.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'

/** How a site stands with those who run the platform. */
export const SITE_STATES = ['active', 'suspended', 'leaving'] as const
export type SiteState = (typeof SITE_STATES)[number]

export const SITE_SORTS = ['name', 'region', 'createdAt'] as const

/** What stands around every page of participants, besides the page state, and what its head is made of. */
export interface SiteFrame {
  name: string
  tagline: LocalisedText
  /** The language of this page, the site's own, and all it speaks. */
  language: Language
  locale: Language
  languages: Language[]
  contactEmail: string | null
  /** Where the site is, e.g. `Canada`. */
  region: string
  /** Scheme, host and port that the site's addresses begin with. */
  origin: string
  /** Mark, header, navigation and footer of the published appearance. */
  look: SiteLook
  /** Whether there is city data to look at. */
  data: boolean
  pages: { slug: string; title: LocalisedText; legal: boolean }[]
}
