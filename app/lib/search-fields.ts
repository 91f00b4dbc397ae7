import { normaliseText } from './normalise-text.ts'
import { toPlainText } from './rich-text.ts'
import type { Translated } from './translated.ts'

/** Splits normalised text into words: anything but letters and digits separates them. */
export const splitWords = (folded: string): string[] => folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean)

/** The search columns built from a title and other texts in all languages: each word once, separated by spaces. */
export function buildSearchFields(
  title: Translated,
  ...texts: (Translated | null | undefined)[]
): { searchTitle: string; searchText: string } {
  const collectWords = (translated: Translated | null | undefined) =>
    Object.values(translated ?? {}).flatMap((text) => splitWords(normaliseText(toPlainText(text))))
  const joinUnique = (all: readonly string[]) => [...new Set(all)].join(' ')
  return { searchTitle: joinUnique(collectWords(title)), searchText: joinUnique([title, ...texts].flatMap(collectWords)) }
}
