/** Why a moderator looks at a contribution or a reply. */
export const CASE_OPENINGS = ['before', 'staff', 'personal-data', 'words'] as const
export type CaseOpening = (typeof CASE_OPENINGS)[number]

/** `closed`: there is nothing left to decide, since the author withdrew it or it was erased. */
export const CASE_STATES = ['open', 'decided', 'closed'] as const
export type CaseState = (typeof CASE_STATES)[number]

/** `keep` leaves something public as it is; `hold` takes it off the site until it is decided. */
export const MODERATION_DECISIONS = ['keep', 'publish', 'hold', 'decline', 'remove'] as const
export type ModerationDecision = (typeof MODERATION_DECISIONS)[number]

/** The rules that every site starts with. */
export const DEFAULT_RULES = [
  'personal-data',
  'abuse',
  'hate',
  'unlawful',
  'advertising',
  'off-topic',
  'already-said',
  'no-real-place',
] as const
export type DefaultRule = (typeof DEFAULT_RULES)[number]
