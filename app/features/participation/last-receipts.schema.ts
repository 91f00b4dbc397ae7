import type { LocalisedText } from '#app/lib/localised-text.ts'

/** A receipt that the browser holds. */
export interface LastReceipt {
  code: string
  /** Of the survey, the activity or the vote. */
  title: LocalisedText
  at: string
}
