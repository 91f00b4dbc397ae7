import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { ModerationDecision } from '#app/lib/vocabulary/moderation.ts'
import type { ActivityView } from '../../record/contributions.schema.ts'

export const MAX_REPORT_WORDS = 500
/** How long reports alone can keep a text off the site. */
export const HELD_HOURS = 48
export const DEFAULT_REPORTS_TO_HOLD = 3
export const MIN_REPORTS_TO_HOLD = 2
export const MAX_REPORTS_TO_HOLD = 50

/** What came of a report. `waiting`: nobody has decided yet; `withdrawn`: the author took the text back, or it was erased. */
export type ReportOutcome = 'waiting' | 'kept' | 'removed' | 'withdrawn'

export const OUTCOME_BY_DECISION: Partial<Record<ModerationDecision, ReportOutcome>> = {
  keep: 'kept',
  publish: 'kept',
  restore: 'kept',
  decline: 'removed',
  remove: 'removed',
}

/** The viewer's own report. */
export interface OwnReport {
  at: string
  rule: LocalisedText | null
  outcome: ReportOutcome
  /** Where they can ask for another look at the decision; null if they cannot. */
  appeal: string | null
}

/** The page on which somebody reports a contribution or a reply. */
export interface ReportPageView {
  activity: ActivityView
  number: number
  title: string
  /** The reply that is reported, in its own words; null for the contribution. */
  reply: { id: string; body: string } | null
  lang: string | null
  rules: { code: string; label: LocalisedText; explanation: LocalisedText }[]
  /** Set if the viewer has reported this version. */
  report: OwnReport | null
  hasAccount: boolean
}
