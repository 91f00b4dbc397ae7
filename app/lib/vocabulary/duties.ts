/** Which duties of consultations a site keeps: none, the Gunning principles, or these and the effects on the Welsh language. */
export const DUTY_RULES = ['none', 'gunning', 'gunning-welsh'] as const
export type DutyRules = (typeof DUTY_RULES)[number]

/** The four Gunning principles, equality, and the Welsh Language Standards on policy making. */
export const DUTIES = ['open-to-change', 'reasons', 'time', 'decisions', 'equality', 'welsh-effects', 'welsh-questions'] as const
export type Duty = (typeof DUTIES)[number]

/** What is published although a duty is not met. */
export const DUTY_ACTS = ['project', 'decisions'] as const
export type DutyAct = (typeof DUTY_ACTS)[number]
