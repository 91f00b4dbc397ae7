import { foldText } from './fold.ts'
import { plainText } from './rich-text.ts'
import type { Translated } from './translated.ts'

/** The columns that searching compares, from a thing's title and its other texts, in all of their languages. */
export function searchFields(title: Translated, ...texts: (Translated | null | undefined)[]): { searchTitle: string; searchText: string } {
  const fold = (translated: Translated | null | undefined) =>
    foldText(
      Object.values(translated ?? {})
        .map(plainText)
        .join(' '),
    )
  const searchTitle = fold(title)
  return { searchTitle, searchText: [searchTitle, ...texts.map(fold)].filter(Boolean).join(' ') }
}
