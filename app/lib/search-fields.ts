import { normaliseText } from './normalise-text.ts'
import { toPlainText } from './rich-text.ts'
import type { Translated } from './translated.ts'

/** Words of folded text: whatever is neither letter nor digit stands between them. */
export const splitWords = (folded: string): string[] => folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

/** The columns that searching compares, from a thing's title and its other texts, in all of their languages: each word once, with a blank between. */
export function buildSearchFields(
  title: Translated,
  ...texts: (Translated | null | undefined)[]
): { searchTitle: string; searchText: string } {
  const collectWords = (translated: Translated | null | undefined) =>
    Object.values(translated ?? {}).flatMap((text) => splitWords(normaliseText(toPlainText(text))))
  const joinUnique = (all: readonly string[]) => [...new Set(all)].join(' ')
  return { searchTitle: joinUnique(collectWords(title)), searchText: joinUnique([title, ...texts].flatMap(collectWords)) }
}
