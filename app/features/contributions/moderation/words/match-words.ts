import type { Language } from '#app/lib/languages.ts'
import { EVERYDAY_WELSH, mutateWelsh } from '#app/lib/welsh-mutations.ts'

/** What happens to a text with a listed word. Never a refusal. */
export type WordEffect = 'flag' | 'hold'

export interface WordList {
  language: Language
  held: readonly string[]
  flagged: readonly string[]
}

/**
 * The words of a text without case, accents and punctuation. An apostrophe ends a word, so that `l’`, `qu’` or `jusqu’` before a French one
 * does not hide it.
 */
export const splitIntoWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Shorter mutated words are too often something else. */
const MIN_MUTATED = 3

/** Ways to write an entry: in Welsh, its first word may be mutated. */
function listForms(entry: string, language: Language): string[][] {
  const [first, ...rest] = splitIntoWords(entry)
  if (!first) return []
  if (language !== 'cy') return [[first, ...rest]]
  const isTelling = (form: string) => rest.length > 0 || (form.length >= MIN_MUTATED && !EVERYDAY_WELSH.has(form))
  const mutated = mutateWelsh(first).filter(isTelling)
  return [first, ...mutated].map((form) => [form, ...rest])
}

/** A matcher for whole words and phrases of all lists. @returns the strongest effect; undefined if nothing is listed */
export function createWordMatcher(lists: readonly WordList[]): (texts: readonly string[]) => WordEffect | undefined {
  const byFirst = new Map<string, { words: string[]; effect: WordEffect }[]>()
  for (const { language, held, flagged } of lists)
    for (const [entries, effect] of [
      [held, 'hold'],
      [flagged, 'flag'],
    ] as const)
      for (const words of entries.flatMap((entry) => listForms(entry, language)))
        byFirst.set(words[0] ?? '', [...(byFirst.get(words[0] ?? '') ?? []), { words, effect }])
  return (texts) => {
    const effects = new Set(
      texts.flatMap((text) => {
        const words = splitIntoWords(text)
        return words.flatMap((word, at) =>
          (byFirst.get(word) ?? [])
            .filter((entry) => entry.words.every((each, step) => words[at + step] === each))
            .map(({ effect }) => effect),
        )
      }),
    )
    return effects.has('hold') ? 'hold' : effects.has('flag') ? 'flag' : undefined
  }
}
