import type { LocalisedText } from '#app/lib/localised-text.ts'

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
