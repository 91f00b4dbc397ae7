export const MAX_KEPT_MONTHS = 240
/** How long before personal data is removed its project's team is told. Nothing is removed without that. */
export const TOLD_DAYS_BEFORE = 30
export const MAX_RETENTION_REASON = 400
