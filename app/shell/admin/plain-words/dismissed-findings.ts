import type { ContentLanguage } from '#app/lib/languages.ts'
import type { PlainFinding } from '#app/lib/plain-words/plain-passage.ts'
import { DISMISSED_ITEM } from '#app/lib/stored-items.ts'

/** The oldest are forgotten first. */
const MOST_KEPT = 300
/** Tells one long sentence from another. */
const KEPT_LETTERS = 120

/** A finding is known by what it says of which words: once they change, it is another one. */
export const nameFinding = ({ code, quote }: PlainFinding, language: ContentLanguage): string =>
  `${language} ${code} ${quote.slice(0, KEPT_LETTERS)}`

/** Findings that were dismissed on this device. */
export function readDismissed(): string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(DISMISSED_ITEM.name) ?? '[]')
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

/** If storage is blocked, they are dismissed until the page is left. */
export function storeDismissed(names: readonly string[]): void {
  try {
    window.localStorage.setItem(DISMISSED_ITEM.name, JSON.stringify(names.slice(-MOST_KEPT)))
  } catch {
    return
  }
}
