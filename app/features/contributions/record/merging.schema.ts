import type { ContentLanguage } from '#app/lib/languages.ts'

export const MAX_LINK_REASON = 2000
/** For so many days after a merge, the author may object to it. */
export const OBJECTION_DAYS = 14

/** Where a contribution went, as its page shows it. */
export interface MergedIntoView {
  number: number
  title: string
  /** False while the other one is not on the site: no link leads to it. */
  isPublic: boolean
  reason: string
}

/** Another contribution that a page names. */
export interface LinkedContributionView {
  number: number
  title: string
  /** Set if it is not the page's language. */
  lang?: ContentLanguage
}

/** What the author of a merged contribution may still say about it. */
export interface OwnMergeView extends MergedIntoView {
  /** Until when the author may object; null if it is over. */
  objectUntil: string | null
  objection: string
  /** Of a moderator: empty until they answer. */
  objectionAnswer: string
}
