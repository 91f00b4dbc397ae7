export const MAX_RETURN_REASON = 1000
