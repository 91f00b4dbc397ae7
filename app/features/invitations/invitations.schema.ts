export const INVITATION_KINDS = ['codes', 'links'] as const

/** Per request; ask again for more. */
export const MAX_CODES = 5000
export const MAX_LINKS = 2000

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
