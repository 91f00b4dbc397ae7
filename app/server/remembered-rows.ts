import { type Memory, MemoryBudget } from './memory/memory-budget.ts'
import type { ResourceText } from './api/encode-document.ts'
import { freezeDeeply } from './public-reads.ts'

const MAX_BYTES = 48_000_000
const TTL_MS = 5 * 60_000
/** A row's JSON text, its values and what was presented of it for a few kinds of viewers, for each letter of the text. */
const BYTES_PER_LETTER = 8
/** Languages times kinds of viewers; a row for which there are more is presented anew. */
const MAX_TEXTS = 6

interface RememberedRow {
  readonly id: string
}

const textsOfRow = new WeakMap<object, Map<string, ResourceText>>()

/**
 * Rows of one process that many requests read, for as long as their versions stay the same. The database always says which rows a viewer
 * sees, in which version; only those that are not here are then read whole.
 */
export class RememberedRows {
  readonly #rows: Memory<RememberedRow>

  constructor(budget = new MemoryBudget(MAX_BYTES)) {
    this.#rows = budget.open('rows', { maxBytes: MAX_BYTES })
  }

  get bytes(): number {
    return this.#rows.bytes
  }

  find(key: string): RememberedRow | undefined {
    return this.#rows.find(key)
  }

  add(key: string, row: RememberedRow): void {
    textsOfRow.set(row, new Map())
    this.#rows.set(key, freezeDeeply(row), JSON.stringify(row).length * BYTES_PER_LETTER, TTL_MS)
  }
}

/** What was presented of a remembered row; undefined for a row that is not remembered. */
export const findTexts = (row: object): Map<string, ResourceText> | undefined => {
  const texts = textsOfRow.get(row)
  if (texts && texts.size >= MAX_TEXTS) texts.clear()
  return texts
}
