import type { ContributionState } from './contributions.ts'

/** Why a moderator looks at a contribution or a reply. `rate`: it came faster than usual from one address. */
export const CASE_OPENINGS = ['before', 'report', 'staff', 'personal-data', 'words', 'rate'] as const
export type CaseOpening = (typeof CASE_OPENINGS)[number]

/**
 * `appealed`: it was decided, and somebody asked another person to look again. `closed`: there is nothing left to decide, since the author
 * withdrew it or it was erased.
 */
export const CASE_STATES = ['open', 'decided', 'appealed', 'closed'] as const
export type CaseState = (typeof CASE_STATES)[number]

/**
 * `keep` leaves something public as it is; `hold` takes it off the site until it is decided; `restore` follows an appeal that was right;
 * `mask` publishes it without some passages, and `unmask` puts these back.
 */
export const MODERATION_DECISIONS = ['keep', 'publish', 'hold', 'decline', 'remove', 'restore', 'mask', 'unmask'] as const
export type ModerationDecision = (typeof MODERATION_DECISIONS)[number]

/** Who may ask for another look at a decision. */
export const APPELLANTS = ['author', 'reporter'] as const
export type Appellant = (typeof APPELLANTS)[number]

/** `closed`: the text went in the meantime, so that there is nothing to decide. */
export const APPEAL_STATES = ['pending', 'upheld', 'overturned', 'closed'] as const
export type AppealState = (typeof APPEAL_STATES)[number]

/** Parts of a text from which passages can be removed. A reply has `body` and `shownName`. */
export const MASKED_FIELDS = ['title', 'body', 'placeText', 'shownName'] as const
/** An answer to an extra question that people wrote themselves, by the question’s id. */
export type MaskedAnswer = `fields.${string}`
export type MaskedField = (typeof MASKED_FIELDS)[number] | MaskedAnswer

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

/** What a decision changed, as it was. No text of the author is kept twice. */
export interface StateBefore {
  state: ContributionState
  version: number
  reason: string
  decidedBy: string | null
  decidedAt: string | null
  publishedAt: string | null
  wasPublic: boolean
  /** Null if the decision opened its case. */
  openCase: { heldUntil: string | null } | null
}
