/**
 * How a person was verified: found in a list of the organisation, confirmed by an administrator who met them, by a code from a letter or to
 * their phone, by signing in with a provider, or by a postcode that they declared.
 */
export const VERIFICATION_METHODS = ['list', 'in_person', 'code', 'text', 'provider', 'postcode'] as const
export type VerificationMethod = (typeof VERIFICATION_METHODS)[number]

/** What a verification proves, weakest first: a way to contact the person, that they live here, their identity. */
export const VERIFICATION_LEVELS = ['contact', 'resident', 'identity'] as const
export type VerificationLevel = (typeof VERIFICATION_LEVELS)[number]

/** What a list can be compared by. */
export const ELIGIBILITY_FIELDS = ['card-number', 'surname', 'birth-date', 'postcode'] as const
export type EligibilityField = (typeof ELIGIBILITY_FIELDS)[number]

/** Whom an activity or survey for verified people lets in: the least level, and a list if only its people may take part. */
export interface VerificationRule {
  level: VerificationLevel
  list: string | null
}

/** Those who are known to live here. */
export const DEFAULT_VERIFICATION_RULE: VerificationRule = { level: 'resident', list: null }
