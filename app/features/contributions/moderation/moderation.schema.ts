import type { LocalisedText } from '#app/lib/localised-text.ts'

/** Public counts are rounded down to a multiple of this; 0 means fewer. */
export const COUNT_STEP = 5
export const DEFAULT_ORIGINALS_KEPT_MONTHS = 12

export interface ModerationFacts {
  since: string
  received: number
  held: number
  declined: number
  /** Published without some passages. */
  masked: number
  appealed: number
  overturned: number
  /** Rules applied at least `COUNT_STEP` times. */
  byRule: { label: LocalisedText; count: number }[]
  /** Null if too few were decided. */
  medianHours: number | null
}

/** The public page about moderation. `facts` is null if too little was sent. */
export interface ModerationPageView {
  rules: { code: string; label: LocalisedText; explanation: LocalisedText }[]
  facts: ModerationFacts | null
}
