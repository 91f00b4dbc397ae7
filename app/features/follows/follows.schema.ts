import type { TeamMailChoices } from '#app/features/teamwork/team-mails.schema.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { omitUndefined, readChoiceParam, readTextParam } from '#app/lib/search-params.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'

/** Longer than a signed request with the longest email address. */
const MAX_TOKEN = 700

export const readFollowSearch = ({ project, token, sent }: Record<string, unknown>) =>
  omitUndefined({
    project: readTextParam(project, 200),
    token: readTextParam(token, MAX_TOKEN),
    sent: readChoiceParam(sent, ['mail']),
  })

/** How often somebody gets email about the projects they follow. */
export const FOLLOW_MAILS = ['at-once', 'daily', 'weekly', 'never'] as const
export type FollowMails = (typeof FOLLOW_MAILS)[number]

/** Projects and contributions that somebody follows, and how often they get email about them. */
export interface Follows {
  mails: FollowMails
  /** Which mails of their team they get; null for people without a role. */
  team: TeamMailChoices | null
  projects: { slug: string; title: string }[]
  contributions: { id: string; number: number; title: string; language: ContentLanguage; activity: string; project: string }[]
}

/** A project that somebody is about to follow. */
export interface FollowTarget {
  slug: string
  title: LocalisedText
  /** By the viewer's account, or by the address that the link is for. */
  isFollowing: boolean
}

/** What the emailed link of somebody without an account confirms. */
export interface EmailFollow extends FollowTarget {
  email: string
}
