import { LRUCache } from 'lru-cache'
import { type Memory, MemoryBudget } from './memory/memory-budget.ts'
import type { ResourceText } from './api/encode-document.ts'
import { freezeDeeply } from './public-reads.ts'

const MAX_BYTES = 48_000_000
const TTL_MS = 5 * 60_000
/** Rows whose latest version is known. */
const MAX_LATEST = 20_000
/** A row's JSON text, its values and what was presented of it for a few kinds of viewers, for each letter of the text. */
const BYTES_PER_LETTER = 8
/** Languages times kinds of viewers; a row for which there are more is presented anew. */
const MAX_TEXTS = 6

interface RememberedRow {
  readonly id: string
}

const textsOfRow = new WeakMap<object, Map<string, ResourceText>>()
const bytesOfRow = new WeakMap<object, number>()

/**
 * Rows of one process that many requests read, for as long as their versions stay the same. The database always says which rows a viewer
 * sees, in which version; only those that are not here are then read whole.
 */
export class RememberedRows {
  readonly #rows: Memory<RememberedRow>
  /** The key of a row's latest version, by the row's own name. */
  readonly #latest = new LRUCache<string, string>({ max: MAX_LATEST })

  constructor(budget = new MemoryBudget(MAX_BYTES)) {
    this.#rows = budget.open('rows', { maxBytes: MAX_BYTES })
  }

  get bytes(): number {
    return this.#rows.bytes
  }

  find(key: string): RememberedRow | undefined {
    return this.#rows.find(key)
  }

  /** @param similar a row that was added before and takes about as much memory */
  add(key: string, row: RememberedRow, similar?: RememberedRow): void {
    textsOfRow.set(row, new Map())
    const bytes = (similar && bytesOfRow.get(similar)) ?? JSON.stringify(row).length * BYTES_PER_LETTER
    bytesOfRow.set(row, bytes)
    this.#rows.set(key, freezeDeeply(row), bytes, TTL_MS)
  }

  noteLatest(name: string, key: string): void {
    this.#latest.set(name, key)
  }

  /** The row as this process last knew it. Another may have changed it since: only for writes that check its version. */
  findLatest(name: string): RememberedRow | undefined {
    const key = this.#latest.get(name)
    return key === undefined ? undefined : this.find(key)
  }
}

/** What was presented of a remembered row; undefined for a row that is not remembered. */
export const findTexts = (row: object): Map<string, ResourceText> | undefined => {
  const texts = textsOfRow.get(row)
  if (texts && texts.size >= MAX_TEXTS) texts.clear()
  return texts
}
