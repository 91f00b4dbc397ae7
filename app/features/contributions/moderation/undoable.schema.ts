import type { ContributionState } from '#app/lib/vocabulary/contributions.ts'
import type { ModerationDecision } from '#app/lib/vocabulary/moderation.ts'

/** The screen offers to take a decision back for ten seconds. Several are decided one after the other, and the answer may be slow. */
export const UNDO_SHOWN_MS = 10_000
export const UNDO_MS = 30_000

export const STATE_BY_DECISION: Partial<Record<ModerationDecision, ContributionState>> = {
  publish: 'published',
  hold: 'held',
  decline: 'declined',
  remove: 'removed',
}
