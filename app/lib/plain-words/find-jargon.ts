import type { ContentLanguage } from '../languages.ts'
import { normaliseText } from '../normalise-text.ts'
import { mutateWelsh } from '../welsh-mutations.ts'

const splitIntoWords = (text: string): string[] => normaliseText(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Abbreviations have no plural that could be mistaken. */
const FEWEST_LETTERS = 4
const dropPlural = (word: string): string => (word.length > FEWEST_LETTERS && /[sx]$/.test(word) ? word.slice(0, -1) : word)

/** How a language writes the words of its list, apart from the form in the list. */
const FORMS: Readonly<Partial<Record<ContentLanguage, { fold: (word: string) => string; mutate: (word: string) => string[] }>>> = {
  en: { fold: dropPlural, mutate: () => [] },
  'fr-CA': { fold: dropPlural, mutate: () => [] },
  cy: { fold: (word) => word, mutate: mutateWelsh },
}

/** The entries of the list that a text has: whole words whatever their case and accents, in the plural too, and mutated in Welsh. */
export function findJargon(text: string, language: ContentLanguage, entries: readonly string[]): string[] {
  const { fold = (word: string) => word, mutate = () => [] } = FORMS[language] ?? {}
  const words = splitIntoWords(text).map(fold)
  return entries.filter((entry) => {
    const [first, ...rest] = splitIntoWords(entry).map(fold)
    if (first === undefined) return false
    const starts = new Set([first, ...mutate(first)])
    return words.some((word, at) => starts.has(word) && rest.every((each, step) => words[at + 1 + step] === each))
  })
}
