/** What an answer may hold at most, in characters. */
export const LONGEST_TEXT = { short_text: 500, long_text: 20_000 } as const
export const LONGEST_OTHER = 500
export const OWN_ANSWERS_PER_PAGE = 20
