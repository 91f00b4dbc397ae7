import { stemmer as stemEnglish } from '@orama/stemmers/english'
import { stemmer as stemFrench } from '@orama/stemmers/french'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { EVERYDAY_WELSH, mutateWelsh } from '#app/lib/welsh-mutations.ts'

/** Without case and accents. */
export const foldWord = (word: string): string =>
  word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('œ', 'oe').replaceAll('æ', 'ae')

/**
 * What the forms of a word have in common, folded. The stemmers know accents, so that the word has its own. Welsh has no stemmer, nor have languages that a site added: their words only
 * fold, see `findRadicals`.
 * @param word in lower case
 */
export function stemWord(word: string, language: ContentLanguage): string {
  if (language === 'en') return foldWord(stemEnglish(word))
  return foldWord(language === 'fr-CA' ? stemFrench(word) : word)
}

/** A mutated form that is shorter is too often another word. */
const MIN_MUTATED = 3

/**
 * Folded Welsh words by their radical: `gath`, `nghath` and `chath` are `cath` if `cath` also occurs. Everyday words stay.
 * @param counts how often each folded word was written
 * @returns only the words that have another radical
 */
export function findRadicals(counts: ReadonlyMap<string, number>): Map<string, string> {
  const radicals = new Map<string, string>()
  const words = [...counts].toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)).map(([word]) => word)
  for (const word of words) {
    if (radicals.has(word)) continue
    for (const form of mutateWelsh(word))
      if (form !== word && form.length >= MIN_MUTATED && counts.has(form) && !radicals.has(form) && !EVERYDAY_WELSH.has(form))
        radicals.set(form, word)
  }
  return radicals
}
