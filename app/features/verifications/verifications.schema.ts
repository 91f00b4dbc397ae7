import type { ProviderLink } from '#app/features/identity/identity.schema.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { EligibilityField, VerificationLevel, VerificationMethod } from '#app/lib/vocabulary/verifications.ts'

export const MAX_FIELD_LENGTH = 100
export const MAX_ENTRIES = 100_000
/** Of a file with entries. */
export const MAX_LIST_BYTES = 5_000_000
/** That an administrator lists. */
export const MAX_POSTCODES = 2000
/** Of codes made at a time. */
export const MAX_LETTERS = 20_000
/** Fewer verified people might be recognised. */
export const MIN_TOLD = 5

/** The text of each method, below `own` and `person`. */
export const METHOD_TEXTS = {
  list: 'list',
  in_person: 'in-person',
  code: 'code',
  text: 'text',
  provider: 'provider',
  postcode: 'postcode',
} as const satisfies Record<VerificationMethod, string>

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
  /** Which of these ways are of use here. */
  canUseCodes: boolean
  canUseTexts: boolean
  canUsePostcodes: boolean
  providers: readonly ProviderLink[]
  own: readonly OwnVerification[]
  /** Where to go afterwards: a path of this site. */
  next: string
}
