/** The impact assessments that are filled in from the record. Their words are in `privacy.json`. */
export const ASSESSMENTS = ['uk-gdpr', 'quebec-law-25'] as const
export type Assessment = (typeof ASSESSMENTS)[number]

/** The steps of the ICO's template; Quebec asks besides where data goes. */
export const ASSESSMENT_STEPS = {
  'uk-gdpr': ['need', 'describe', 'consult', 'necessity', 'risks', 'sign'],
  'quebec-law-25': ['need', 'describe', 'consult', 'necessity', 'transfers', 'risks', 'sign'],
} as const satisfies Record<Assessment, readonly string[]>

/** Steps that only the council can complete. */
export const OWN_STEPS: readonly string[] = ['consult', 'transfers', 'sign']

export const RISKS = ['identify', 'insider', 'intruder', 'others', 'longer', 'message'] as const
