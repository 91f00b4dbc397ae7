import { UNSAVED_ITEM } from '#app/lib/stored-items.ts'
import type { RevisedPlace } from '../draft.schema.ts'

export interface Rescued {
  /** The revision it was made from. */
  parent: string | null
  content: unknown
  at: string
  /** What was sent before it without an answer: it may have been stored all the same. */
  sent: readonly unknown[]
}

const MOST_SENT = 4

const keyOf = ({ subject, hubId }: RevisedPlace) => `${UNSAVED_ITEM.name}${subject}.${hubId ?? 'site'}`

/** Keeps on this device what is not saved yet, until it is: neither a server nor a browser that dies takes it along. */
export function keepUnsaved(place: RevisedPlace, rescued: Rescued): void {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(rescued))
  } catch {
    // A device that keeps nothing has the editor's own memory.
  }
}

export const forgetUnsaved = (place: RevisedPlace): void => localStorage.removeItem(keyOf(place))

/** One more that was sent; of many the first stays, which is likelier than others to have been stored. */
export const withSent = (sent: readonly unknown[], content: unknown): readonly unknown[] => [
  ...sent.slice(0, 1),
  ...[...sent.slice(1), content].slice(1 - MOST_SENT),
]

/** What could not be saved the last time this place was edited here. */
export function findUnsaved(place: RevisedPlace): Rescued | undefined {
  try {
    const read = JSON.parse(localStorage.getItem(keyOf(place)) ?? 'null') as Partial<Rescued> | null
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
