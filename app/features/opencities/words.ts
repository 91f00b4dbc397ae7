import { foldText } from '#app/lib/fold.ts'
import type { Cell } from './opencities.schema.ts'

const LONGEST = 2000

/** What searching compares of a row. */
export const wordsOf = (cells: readonly Cell[]): string =>
  foldText(
    cells
      .filter((cell) => typeof cell === 'string' || typeof cell === 'number')
      .join(' ')
      .slice(0, LONGEST),
  )
