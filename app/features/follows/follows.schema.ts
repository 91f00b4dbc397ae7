/** How often somebody is written to about the projects they follow. */
export const FOLLOW_MAILS = ['at-once', 'daily', 'weekly', 'never'] as const
export type FollowMails = (typeof FOLLOW_MAILS)[number]

/** What somebody follows, and how often they hear of it. */
export interface Follows {
  mails: FollowMails
  projects: { slug: string; title: string }[]
}
