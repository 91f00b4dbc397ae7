/** What somebody decided about unusually many supports or answers from one place. */
export const CROWD_DECISIONS = ['counted', 'not-counted'] as const
export type CrowdDecision = (typeof CROWD_DECISIONS)[number]
