import type { ContentLanguage } from '#app/lib/languages.ts'

export const TRANSLATED_KINDS = ['projects', 'surveys', 'activities', 'hubs', 'topics', 'pages'] as const
export type TranslatedKind = (typeof TRANSLATED_KINDS)[number]

/** How many things of a kind have no title in a language of the site. Archived ones are not counted. */
export interface TranslationGap {
  kind: TranslatedKind
  language: ContentLanguage
  missing: number
}
