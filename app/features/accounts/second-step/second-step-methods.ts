/** Ways to take the second step, beside recovery codes. */
export const SECOND_STEP_METHODS = ['passkey', 'app'] as const
export type SecondStepMethod = (typeof SECOND_STEP_METHODS)[number]
