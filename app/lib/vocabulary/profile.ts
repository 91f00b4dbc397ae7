export const PROFILE_QUESTION_TYPES = ['one-choice', 'several-choices', 'year-of-birth', 'area', 'postcode', 'short-text'] as const
export type ProfileQuestionType = (typeof PROFILE_QUESTION_TYPES)[number]

/** When a person is asked: as they create an account, on the receipt of their first answer, or only if they look in their account. */
export const PROFILE_ASKED_AT = ['sign-up', 'after-first-answer', 'account-only'] as const
export type ProfileAskedAt = (typeof PROFILE_ASKED_AT)[number]

/** A retired question is no longer asked; its answers stay until their retention ends. */
export const PROFILE_QUESTION_STATUSES = ['draft', 'live', 'retired'] as const
export type ProfileQuestionStatus = (typeof PROFILE_QUESTION_STATUSES)[number]

export const PROFILE_SOURCES = ['person', 'staff', 'import', 'identity-provider'] as const
export type ProfileSource = (typeof PROFILE_SOURCES)[number]
