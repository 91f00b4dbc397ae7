import { normaliseText } from './normalise-text.ts'
import { toPlainText } from './rich-text.ts'
import type { Translated } from './translated.ts'

/** Scripts that do not part words by spaces. */
const UNSPACED = /([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)/u

/**
 * Splits normalised text into words: anything but letters and digits separates them. Of scripts without spaces, each two neighbouring letters
 * are a word, so that a word is found inside a sentence without a dictionary.
 */
export const splitWords = (folded: string): string[] =>
  folded
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((run) => run.split(UNSPACED))
    .filter(Boolean)
    .flatMap((run) => (UNSPACED.test(run) ? toPairs(run) : run))

function toPairs(run: string): string[] {
  const letters = Array.from(run)
  return letters.length < 2 ? letters : letters.slice(1).map((letter, at) => `${letters[at] ?? ''}${letter}`)
}

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
