import type { Role } from '#app/lib/roles.ts'

/** The columns of the table: everyone who can ask for something. */
export const ACTORS = ['visitor', 'participant', 'project_admin', 'hub_admin', 'site_admin', 'platform_admin'] as const satisfies readonly (
  | 'visitor'
  | 'participant'
  | Role
)[]
export type Actor = (typeof ACTORS)[number]

/**
 * The values of a cell:
 * - `yes` / `no`
 * - `scope`: if the thing is in a project or hub the role is assigned to
 * - `hub`: if the thing is in a hub the role is assigned to
 * - `own`: if it belongs to the person
 * - `member`: if the person is a member of the project
 * - `link`: with a preview link
 * - `survey`: if the survey's own access rule lets them
 * - `activity`: if the activity's own rule lets them
 * - `grant`: if the site has granted support access
 * - `never-published`: in scope, and never published
 * - `granted`: in scope, and the assignment allows personal data
 * - `review`: in scope, may only ask for review
 * - `drafts`: in scope, may only draft
 * - `own-acts`: the platform's audit trail and the person's own actions
 * - `catalogue`: the platform's catalogue, not a site's installations
 */
export type Rule =
  | 'yes'
  | 'no'
  | 'scope'
  | 'hub'
  | 'own'
  | 'member'
  | 'link'
  | 'survey'
  | 'activity'
  | 'grant'
  | 'never-published'
  | 'granted'
  | 'review'
  | 'drafts'
  | 'own-acts'
  | 'catalogue'

const buildRules = (
  visitor: Rule,
  participant: Rule,
  project_admin: Rule,
  hub_admin: Rule,
  site_admin: Rule,
  platform_admin: Rule,
): Record<Actor, Rule> => ({
  visitor,
  participant,
  project_admin,
  hub_admin,
  site_admin,
  platform_admin,
})

/** Who may do what: PRODUCT 2.2, cell by cell. Nothing else in Parley decides by role. */
export const PERMISSIONS = {
  'projects.see-published': buildRules('yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  'projects.see-members-only': buildRules('no', 'member', 'scope', 'scope', 'yes', 'grant'),
  'projects.see-draft': buildRules('link', 'link', 'scope', 'scope', 'yes', 'grant'),
  'surveys.answer': buildRules('survey', 'survey', 'survey', 'survey', 'survey', 'no'),
  'activities.edit': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'activities.publish': buildRules('no', 'no', 'review', 'scope', 'yes', 'no'),
  'contributions.post': buildRules('activity', 'activity', 'activity', 'activity', 'activity', 'no'),
  'contributions.react': buildRules('activity', 'activity', 'activity', 'activity', 'activity', 'no'),
  'contributions.answer': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'contributions.moderate': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'moderation.appeals': buildRules('no', 'no', 'no', 'hub', 'yes', 'no'),
  'contributions.see-original': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'moderation.rules': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'eligibility-lists.edit': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'verifications.confirm': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'account.own-data': buildRules('no', 'own', 'own', 'own', 'own', 'own'),
  'projects.create': buildRules('no', 'no', 'no', 'hub', 'yes', 'no'),
  'projects.edit': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'projects.publish': buildRules('no', 'no', 'review', 'scope', 'yes', 'no'),
  'projects.delete': buildRules('no', 'no', 'no', 'never-published', 'yes', 'no'),
  'responses.see': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'responses.export-personal': buildRules('no', 'no', 'granted', 'hub', 'yes', 'no'),
  'participants.manage': buildRules('no', 'no', 'no', 'hub', 'yes', 'no'),
  'participants.erase': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'campaigns.send': buildRules('no', 'no', 'drafts', 'hub', 'yes', 'no'),
  'project-admins.add': buildRules('no', 'no', 'no', 'hub', 'yes', 'no'),
  'hubs.create': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'hubs.edit-homepage': buildRules('no', 'no', 'no', 'hub', 'yes', 'no'),
  'site.edit': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'audit.see': buildRules('no', 'no', 'scope', 'hub', 'yes', 'own-acts'),
  'marketplace.configure': buildRules('no', 'no', 'no', 'no', 'yes', 'catalogue'),
  'sites.manage': buildRules('no', 'no', 'no', 'no', 'no', 'yes'),
  'features.switch': buildRules('no', 'no', 'no', 'no', 'no', 'yes'),
  'support.enter': buildRules('no', 'no', 'no', 'no', 'no', 'grant'),
  'support.grant': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
} as const satisfies Record<string, Record<Actor, Rule>>

export type Action = keyof typeof PERMISSIONS
