import type { ContentLanguage } from '#app/lib/languages.ts'
import { STOP_WORDS } from '#app/lib/stop-words.ts'

const WORD_PATTERN = /[\p{L}\p{M}\p{Nd}](?:[\p{L}\p{M}\p{Nd}'-]*[\p{L}\p{M}\p{Nd}])?/gu
/** French elisions: l'eau, qu'on. */
const ELIDED_PREFIX = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)'(?=\p{L}{2})/u
/** Welsh contractions: mae'r, a'u. */
const JOINED_SUFFIX = /'(?:ch|i|m|n|r|th|u|w)$/u
const MIN_WORD_LENGTH = 3

/** The distinct meaningful words of a text, in lower case. */
export function listMeaningfulWords(text: string, language: ContentLanguage): Set<string> {
  const without = STOP_WORDS.get(language)
  const found = new Set<string>()
  for (const [raw] of text.normalize('NFC').toLocaleLowerCase(language).replaceAll('’', "'").matchAll(WORD_PATTERN)) {
    const word = language === 'fr-CA' ? raw.replace(ELIDED_PREFIX, '') : language === 'cy' ? raw.replace(JOINED_SUFFIX, '') : raw
    if (word.length >= MIN_WORD_LENGTH && !without?.has(word) && !without?.has(raw) && !/^\p{Nd}+$/u.test(word)) found.add(word)
  }
  return found
}
