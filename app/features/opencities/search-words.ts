import { normaliseText } from '#app/lib/normalise-text.ts'
import type { Cell } from './opencities.schema.ts'

const MAX_SEARCH_TEXT_LENGTH = 2000
const MAX_SEARCH_WORDS = 8

/** The words of a text as searching compares them, each once: letters and digits alone, without accents. */
const splitWords = (text: string): string[] => [...new Set(normaliseText(text).split(/[^\p{L}\p{N}]+/u))].filter(Boolean)

/** What searching compares of a row: its words with a space between. */
export const toSearchText = (cells: readonly Cell[]): string =>
  splitWords(
    cells
      .filter((cell) => typeof cell === 'string' || typeof cell === 'number')
      .join(' ')
      .slice(0, MAX_SEARCH_TEXT_LENGTH),
  ).join(' ')

/** What was typed into a search, in the same words. */
export const parseSearchWords = (typed: string): string[] => splitWords(typed).slice(0, MAX_SEARCH_WORDS)
