import { normaliseText } from '#app/lib/normalise-text.ts'
import type { Cell } from './opencities.schema.ts'

const MAX_SEARCH_TEXT_LENGTH = 2000
const MAX_SEARCH_WORDS = 8

/** The distinct words of a text as search compares them: letters and digits only, without accents. */
const splitWords = (text: string): string[] => [...new Set(normaliseText(text).split(/[^\p{L}\p{N}]+/u))].filter(Boolean)

/** A row's searchable text: its words separated by spaces. */
export const toSearchText = (cells: readonly Cell[]): string =>
  splitWords(
    cells
      .filter((cell) => typeof cell === 'string' || typeof cell === 'number')
      .join(' ')
      .slice(0, MAX_SEARCH_TEXT_LENGTH),
  ).join(' ')

/** The words of a typed search, normalised likewise. */
export const parseSearchWords = (typed: string): string[] => splitWords(typed).slice(0, MAX_SEARCH_WORDS)
