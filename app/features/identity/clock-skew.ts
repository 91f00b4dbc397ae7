/** How far a provider's clock may be off. */
export const CLOCK_SKEW_MS = 120_000
