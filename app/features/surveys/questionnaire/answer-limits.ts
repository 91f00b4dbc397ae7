import { DRAFT_ITEM } from '#app/lib/answer-items.ts'

/** Maximum length of an answer, in characters. */
export const MAX_TEXT_LENGTH = { short_text: 500, long_text: 20_000 } as const
export const MAX_OTHER_LENGTH = 500
/**
 * Upper bound for one response, via the API or a form: forty texts of maximum length, and ten thousand choices. No survey that anybody
 * finishes needs more.
 */
export const ANSWERS_BOUNDS = { bytes: 40 * MAX_TEXT_LENGTH.long_text + 10_000 * 20, values: 10_000 }
export const OWN_ANSWERS_PER_PAGE = 20
/** How long drafts are kept after their last change. */
export const DRAFT_DAYS = DRAFT_ITEM.seconds / (24 * 60 * 60)
