import { normaliseText } from '#app/lib/normalise-text.ts'
import type { Cell } from './opencities.schema.ts'

const LONGEST = 2000
const MOST_TYPED = 8

/** The words of a text as searching compares them, each once: letters and digits alone, without accents. */
const wordsIn = (text: string): string[] => [...new Set(normaliseText(text).split(/[^\p{L}\p{N}]+/u))].filter(Boolean)

/** What searching compares of a row: its words with a space between. */
export const wordsOf = (cells: readonly Cell[]): string =>
  wordsIn(
    cells
      .filter((cell) => typeof cell === 'string' || typeof cell === 'number')
      .join(' ')
      .slice(0, LONGEST),
  ).join(' ')

/** What was typed into a search, in the same words. */
export const typedWords = (typed: string): string[] => wordsIn(typed).slice(0, MOST_TYPED)
