import { UNSAVED_ITEM } from '#app/lib/stored-items.ts'
import type { RevisedPlace } from '../draft.schema.ts'

export interface UnsavedDraft {
  /** The revision it is based on. */
  parent: string | null
  content: unknown
  at: string
  /** Versions sent earlier without an answer: they may have been stored all the same. */
  sent: readonly unknown[]
}

const MAX_SENT_VERSIONS = 4

const buildStorageKey = ({ subject, placeId }: RevisedPlace) => `${UNSAVED_ITEM.name}${subject}.${placeId ?? 'site'}`

/** Keeps unsaved work on this device until it is saved, so that it survives a crash of the server or the browser. */
export function storeUnsaved(place: RevisedPlace, rescued: UnsavedDraft): void {
  try {
    localStorage.setItem(buildStorageKey(place), JSON.stringify(rescued))
  } catch {
    // Without local storage the editor still has it in memory.
  }
}

export const clearUnsaved = (place: RevisedPlace): void => localStorage.removeItem(buildStorageKey(place))

/** Appends a sent version. Beyond the limit the first one is kept, as the most likely to have been stored. */
export const appendSent = (sent: readonly unknown[], content: unknown): readonly unknown[] => [
  ...sent.slice(0, 1),
  ...[...sent.slice(1), content].slice(1 - MAX_SENT_VERSIONS),
]

/** What could not be saved the last time this place was edited on this device. */
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
