import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { Appellant, AppealState, ModerationDecision } from '#app/lib/vocabulary/moderation.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'

export const APPEAL_DAYS = 30
export const MAX_APPEAL_WORDS = 2000
/** How long somebody waits who took the first decision, if nobody else on the site can decide the appeal. */
export const LONE_DECIDER_HOURS = 24

export const getAppealEnd = (decidedAt: Date): Date => new Date(decidedAt.getTime() + APPEAL_DAYS * 86_400_000)

/** Which decisions each side may appeal against. */
export const APPEALABLE_DECISIONS: Record<Appellant, readonly ModerationDecision[]> = {
  author: ['decline', 'remove', 'mask'],
  reporter: ['keep', 'publish'],
}

/** Why the viewer cannot decide an appeal, though their role may. */
export const DECIDING_REFUSALS = ['same-person', 'too-early'] as const
export type DecidingRefusal = (typeof DECIDING_REFUSALS)[number]

/** The page of a decision for whom it concerns. */
export interface AppealPageView {
  decisionId: string
  /** Null unless the viewer sent the text or reported it. */
  known: KnownDecision | null
}

export interface KnownDecision {
  side: Appellant
  decision: ModerationDecision
  decidedAt: string
  number: number
  /** Empty if it is the viewer's no longer. */
  title: string
  lang: ContentLanguage
  isReply: boolean
  rule: LocalisedText | null
  /** The moderator's words. */
  words: string
  activity: { title: LocalisedText; slug: string; project: string }
  /** Until when an appeal can be sent; null if none can. */
  appealUntil: string | null
  appeal: AppealView | null
}

export interface AppealView {
  /** Empty unless it is the viewer's own. */
  words: string
  state: AppealState
  answer: string
  sentAt: string
}
