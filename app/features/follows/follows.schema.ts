import type { Language } from '#app/lib/languages.ts'

/** How often somebody gets email about the projects they follow. */
export const FOLLOW_MAILS = ['at-once', 'daily', 'weekly', 'never'] as const
export type FollowMails = (typeof FOLLOW_MAILS)[number]

/** Projects and contributions that somebody follows, and how often they get email about them. */
export interface Follows {
  mails: FollowMails
  projects: { slug: string; title: string }[]
  contributions: { id: string; number: number; title: string; language: Language; activity: string; project: string }[]
}
