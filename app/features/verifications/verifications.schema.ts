import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { EligibilityField, VerificationLevel, VerificationMethod } from '#app/lib/vocabulary/verifications.ts'

export const MAX_FIELD_LENGTH = 100
export const MAX_ENTRIES = 100_000
/** Of a file with entries. */
export const MAX_LIST_BYTES = 5_000_000

/** A list of the organisation that the page offers to be looked up in. */
export interface OfferedList {
  id: string
  name: LocalisedText
  fields: readonly EligibilityField[]
}

/** One of the viewer's verifications that is still valid. */
export interface OwnVerification {
  id: string
  method: VerificationMethod
  level: VerificationLevel
  /** The list's name. */
  list: LocalisedText | null
  validUntil: string
}

/** The page where people show that they may take part. */
export interface VerifyView {
  /** The activity that they come from. */
  activity: { title: LocalisedText; isAllowed: boolean } | null
  lists: readonly OfferedList[]
  own: readonly OwnVerification[]
  /** Where to go afterwards: a path of this site. */
  next: string
}
