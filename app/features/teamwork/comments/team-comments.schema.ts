export const MAX_COMMENT = 5000
/** The most people that one comment mentions. */
export const MAX_MENTIONS = 20
