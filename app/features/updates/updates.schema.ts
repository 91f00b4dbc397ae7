import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { TranslatedText } from '#app/lib/translated-texts.ts'

interface Named {
  slug: string
  title: LocalisedText
}

export interface UpdateView {
  slug: string
  title: LocalisedText
  body: LocalisedText
  /** Its beginning, for search engines and shared links. */
  description: string
  publishedAt: string
  project: Named
  /** The previous and next update of the same project. */
  older: Named | null
  newer: Named | null
}

/** Longest title and body, in characters. */
export const MAX_UPDATE = { title: 200, body: 40_000 }

export const listUpdateTexts = ({ title, body }: { title: Translated; body: Translated }): TranslatedText[] => [
  { pointer: '/titleTranslations', text: title, isNeeded: true, max: MAX_UPDATE.title },
  { pointer: '/bodyTranslations', text: body, isNeeded: true, format: 'rich', max: MAX_UPDATE.body },
]
