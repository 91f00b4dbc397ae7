import { DRAFT_ITEM } from '#app/lib/stored-items.ts'

/** What an answer may hold at most, in characters. */
export const MAX_TEXT_LENGTH = { short_text: 500, long_text: 20_000 } as const
export const MAX_OTHER_LENGTH = 500
/**
 * What one response may bring: forty of the longest texts, and ten thousand choices, in requests to the API and in forms alike. No survey
 * that anybody finishes asks for more.
 */
export const ANSWERS_BOUNDS = { bytes: 40 * MAX_TEXT_LENGTH.long_text + 10_000 * 20, values: 10_000 }
export const OWN_ANSWERS_PER_PAGE = 20
/** Half-given answers are kept for so long after they were last changed. */
export const DRAFT_DAYS = DRAFT_ITEM.seconds / (24 * 60 * 60)
