import type { Role } from '#app/lib/roles.ts'

/** Columns of the table: everyone who may ask. */
export const ACTORS = ['visitor', 'participant', 'project_admin', 'hub_admin', 'site_admin', 'platform_admin'] as const satisfies readonly (
  | 'visitor'
  | 'participant'
  | Role
)[]
export type Actor = (typeof ACTORS)[number]

/**
 * What a cell says:
 * - `yes` / `no`
 * - `scope`: the thing lies in a project or hub the role is assigned to
 * - `hub`: the thing lies in a hub the role is assigned to
 * - `own`: it is the person's own
 * - `member`: the person is a member of the project
 * - `link`: with a preview link
 * - `survey`: if the survey's own access rule lets them
 * - `grant`: where the site has let support in
 * - `never-published`: in scope, and never published
 * - `granted`: in scope, and the assignment allows personal data
 * - `review`: may only ask for review, in scope
 * - `drafts`: may only draft, in scope
 * - `own-acts`: the platform's trail and the person's own acts
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
  | 'grant'
  | 'never-published'
  | 'granted'
  | 'review'
  | 'drafts'
  | 'own-acts'
  | 'catalogue'

const row = (
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
  'projects.see-published': row('yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  'projects.see-members-only': row('no', 'member', 'scope', 'scope', 'yes', 'grant'),
  'projects.see-draft': row('link', 'link', 'scope', 'scope', 'yes', 'grant'),
  'surveys.answer': row('survey', 'survey', 'survey', 'survey', 'survey', 'no'),
  'account.own-data': row('no', 'own', 'own', 'own', 'own', 'own'),
  'projects.create': row('no', 'no', 'no', 'hub', 'yes', 'no'),
  'projects.edit': row('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'projects.publish': row('no', 'no', 'review', 'scope', 'yes', 'no'),
  'projects.delete': row('no', 'no', 'no', 'never-published', 'yes', 'no'),
  'responses.see': row('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'responses.export-personal': row('no', 'no', 'granted', 'hub', 'yes', 'no'),
  'participants.manage': row('no', 'no', 'no', 'hub', 'yes', 'no'),
  'participants.erase': row('no', 'no', 'no', 'no', 'yes', 'no'),
  'campaigns.send': row('no', 'no', 'drafts', 'hub', 'yes', 'no'),
  'project-admins.add': row('no', 'no', 'no', 'hub', 'yes', 'no'),
  'hubs.create': row('no', 'no', 'no', 'no', 'yes', 'no'),
  'hubs.edit-homepage': row('no', 'no', 'no', 'hub', 'yes', 'no'),
  'site.edit': row('no', 'no', 'no', 'no', 'yes', 'no'),
  'audit.see': row('no', 'no', 'scope', 'hub', 'yes', 'own-acts'),
  'marketplace.configure': row('no', 'no', 'no', 'no', 'yes', 'catalogue'),
  'sites.manage': row('no', 'no', 'no', 'no', 'no', 'yes'),
  'features.switch': row('no', 'no', 'no', 'no', 'no', 'yes'),
  'support.enter': row('no', 'no', 'no', 'no', 'no', 'grant'),
  'support.grant': row('no', 'no', 'no', 'no', 'yes', 'no'),
} as const satisfies Record<string, Record<Actor, Rule>>

export type Action = keyof typeof PERMISSIONS
