/** How long a failing delivery is retried, and how long an address may fail before webhooks are disabled. */
export const GIVES_UP_DAYS = 5
/** How long the former secret still signs after a rotation. */
export const FORMER_SECRET_HOURS = 24
