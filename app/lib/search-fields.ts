import { normaliseText } from './normalise-text.ts'
import { plainText } from './rich-text.ts'
import type { Translated } from './translated.ts'

/** Words of folded text: whatever is neither letter nor digit stands between them. */
export const wordsOf = (folded: string): string[] => folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

/** The columns that searching compares, from a thing's title and its other texts, in all of their languages: each word once, with a blank between. */
export function searchFields(title: Translated, ...texts: (Translated | null | undefined)[]): { searchTitle: string; searchText: string } {
  const words = (translated: Translated | null | undefined) =>
    Object.values(translated ?? {}).flatMap((text) => wordsOf(normaliseText(plainText(text))))
  const once = (all: readonly string[]) => [...new Set(all)].join(' ')
  return { searchTitle: once(words(title)), searchText: once([title, ...texts].flatMap(words)) }
}
