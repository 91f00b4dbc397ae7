import { UNSAVED_ITEM } from '#app/lib/stored-items.ts'
import type { RevisedPlace } from '../draft.schema.ts'

export interface UnsavedDraft {
  /** The revision it was made from. */
  parent: string | null
  content: unknown
  at: string
  /** What was sent before it without an answer: it may have been stored all the same. */
  sent: readonly unknown[]
}

const MAX_SENT_VERSIONS = 4

const buildStorageKey = ({ subject, hubId }: RevisedPlace) => `${UNSAVED_ITEM.name}${subject}.${hubId ?? 'site'}`

/** Keeps on this device what is not saved yet, until it is: neither a server nor a browser that dies takes it along. */
export function storeUnsaved(place: RevisedPlace, rescued: UnsavedDraft): void {
  try {
    localStorage.setItem(buildStorageKey(place), JSON.stringify(rescued))
  } catch {
    // A device that keeps nothing has the editor's own memory.
  }
}

export const clearUnsaved = (place: RevisedPlace): void => localStorage.removeItem(buildStorageKey(place))

/** One more that was sent; of many the first stays, which is likelier than others to have been stored. */
export const appendSent = (sent: readonly unknown[], content: unknown): readonly unknown[] => [
  ...sent.slice(0, 1),
  ...[...sent.slice(1), content].slice(1 - MAX_SENT_VERSIONS),
]

/** What could not be saved the last time this place was edited here. */
export function findUnsaved(place: RevisedPlace): UnsavedDraft | undefined {
  try {
    const read = JSON.parse(localStorage.getItem(buildStorageKey(place)) ?? 'null') as Partial<UnsavedDraft> | null
    if (!read || typeof read.at !== 'string' || read.content === undefined) return undefined
    return {
      parent: typeof read.parent === 'string' ? read.parent : null,
      content: read.content,
      at: read.at,
      sent: Array.isArray(read.sent) ? read.sent : [],
    }
  } catch {
    return undefined
  }
}
