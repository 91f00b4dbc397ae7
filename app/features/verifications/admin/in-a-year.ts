const HOUR_MS = 3_600_000

/** The next full hour, a year from now: when a new list or verification ends unless somebody chooses otherwise. */
export const findHourInAYear = (): string => new Date(Math.ceil((Date.now() + 365 * 24 * HOUR_MS) / HOUR_MS) * HOUR_MS).toISOString()
