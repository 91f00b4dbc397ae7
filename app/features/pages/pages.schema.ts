import type { ProcessorList } from '#app/features/privacy/processors.schema.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'
import type { PageKind } from '#app/lib/vocabulary/pages.ts'

export interface PageView {
  slug: string
  kind: PageKind
  title: LocalisedText
  body: LocalisedText
  /** Its beginning, for search engines and shared links. */
  description: string
  updatedAt: string
  /** Who gets data from the site, below a page about privacy. */
  processors: ProcessorList | null
}

/** Addresses of legal pages about privacy, below which the site says who gets data from it. */
export const PRIVACY_SLUGS: readonly string[] = ['privacy', 'confidentialite', 'preifatrwydd']

/** Longest title and body, in characters. */
export const MAX_PAGE = { title: 200, body: 100_000 }

export const listPageTexts = ({ title, body }: { title: Translated; body: Translated }): TranslatedText[] => [
  { pointer: '/titleTranslations', text: title, isNeeded: true, max: MAX_PAGE.title },
  { pointer: '/bodyTranslations', text: body, isNeeded: true, format: 'rich', max: MAX_PAGE.body },
]
