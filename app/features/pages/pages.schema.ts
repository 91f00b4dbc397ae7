import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { PageKind } from '#app/lib/vocabulary/pages.ts'

export interface PageView {
  slug: string
  kind: PageKind
  title: LocalisedText
  body: LocalisedText
  /** Its beginning, for search engines and shared links. */
  description: string
  updatedAt: string
}
