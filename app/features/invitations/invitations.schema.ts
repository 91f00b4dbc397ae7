import type { Translated } from '#app/lib/translated.ts'

export const INVITATION_KINDS = ['codes', 'links'] as const

/** Per request; ask again for more. */
export const MAX_CODES = 5000
export const MAX_LINKS = 2000

/** Letters of a sample, at least. With fewer, the response rate could reveal whether one person answered. */
export const MIN_SAMPLE = 5
export const MAX_POPULATION = 1_000_000_000
export const MAX_LIST_NAME = 200

/** A random sample that a batch of letters went to. */
export interface LetterSample {
  /** Letters that were sent, perhaps fewer than codes were made. */
  sent: number
  /** People or addresses on the list that the sample was drawn from. */
  population: number
  /** What the list is, such as the electoral register. */
  list: Translated
}

const ADDRESS_PATTERN = /[^\s<>,;:"()]+@[^\s<>,;:"()]+\.[^\s<>,;:"()]+/

/**
 * Extracts email addresses from a pasted list, with or without names, separated by lines, commas or semicolons.
 * @returns each address once, and the entries without an address
 */
export function parseAddresses(pasted: string): { addresses: string[]; unreadable: string[] } {
  const entries = pasted
    .split(/[\n;,]+/)
    .map((entry) => entry.trim())
    .filter(Boolean)
  const found = entries.map((entry) => ADDRESS_PATTERN.exec(entry)?.[0].toLowerCase())
  return {
    addresses: [...new Set(found.filter((address) => address !== undefined))],
    unreadable: entries.filter((_, index) => found[index] === undefined),
  }
}
