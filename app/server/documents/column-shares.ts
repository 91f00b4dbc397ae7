import type { DocumentTable } from './document.schema.ts'

/** How many small bold letters fit across a page, in a wide font; the typesetter’s is narrower. */
const LETTERS_ACROSS = 78
/** Beside the longest word of a cell. */
const CELL_MARGIN_LETTERS = 2
/** Of the table's width, if nothing needs more. */
const [NUMBERS_SHARE, TEXT_COLUMN_SHARE] = [0.66, 0.18]

/**
 * Columns of numbers are equally wide unless a word needs more, so that none is broken in the middle, nor an amount where its spaces do not break.
 * Columns of texts share the rest by the length of their longest text.
 * @returns shares of the table's width
 */
export function findColumnShares({ heads, rows, textColumns = 1 }: DocumentTable): number[] {
  const measureLongest = (column: number, split: (text: string) => string[]) =>
    Math.max(...[heads, ...rows].flatMap((cells) => split(cells[column] ?? '').map(({ length }) => length)))
  const columns = heads.map((_, column) => column)
  const needed = columns.slice(textColumns).map((column) => (measureLongest(column, splitWords) + CELL_MARGIN_LETTERS) / LETTERS_ACROSS)
  const left = 1 - TEXT_COLUMN_SHARE * textColumns
  const equal = needed.map((share) => Math.max(share, NUMBERS_SHARE / (heads.length - 1)))
  const scale = Math.min(1, left / addUp(needed))
  const numbers = addUp(equal) <= left ? equal : needed.map((share) => share * scale)
  const texts = columns.slice(0, textColumns)
  const weights = texts.map((column) => Math.sqrt(measureLongest(column, (text) => [text]) + CELL_MARGIN_LETTERS))
  const words = texts.map((column) => (measureLongest(column, splitWords) + CELL_MARGIN_LETTERS) / LETTERS_ACROSS)
  return [...shareOut(1 - addUp(numbers), weights, words), ...numbers]
}

const splitWords = (text: string): string[] => text.split(/[ \n]+/)

/** By weight, but no column less than it needs, if there is room for what all of them need. */
function shareOut(share: number, weights: readonly number[], needed: readonly number[]): number[] {
  const byWeight = weights.map((weight) => (share * weight) / addUp(weights))
  const spare = share - addUp(needed)
  if (spare <= 0) return byWeight
  const above = byWeight.map((given, column) => Math.max(0, given - (needed[column] ?? 0)))
  return needed.map((need, column) => need + (spare * (above[column] ?? 0)) / addUp(above))
}

const addUp = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
