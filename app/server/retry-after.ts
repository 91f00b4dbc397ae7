/** `Retry-After` of everything that is unavailable, pages and API, in seconds. */
export const RETRY_AFTER_SECONDS = 5
