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

type Rules = Record<Actor, Rule>
type Cells = [visitor: Rule, participant: Rule, project_admin: Rule, hub_admin: Rule, site_admin: Rule, platform_admin: Rule]

const buildRules = (
  ...[visitor, participant, project_admin, hub_admin, site_admin, platform_admin]: Cells
): Rules & { freshSignIn: false } => ({
  visitor,
  participant,
  project_admin,
  hub_admin,
  site_admin,
  platform_admin,
  freshSignIn: false,
})

/** For what a stolen or forgotten session must not do: requires a recent sign-in. */
const buildFreshRules = (...cells: Cells): Rules & { freshSignIn: true } => ({ ...buildRules(...cells), freshSignIn: true })

/**
 * Who may do what: PRODUCT 2.2, cell by cell, and whether it needs a fresh sign-in. Nothing else in Parley decides by role. To see a thing
 * is another action than to change it if only the change needs a fresh sign-in.
 */
export const PERMISSIONS = {
  'projects.see-published': buildRules('yes', 'yes', 'yes', 'yes', 'yes', 'yes'),
  'projects.see-members-only': buildRules('no', 'member', 'scope', 'scope', 'yes', 'grant'),
  'projects.see-draft': buildRules('link', 'link', 'scope', 'scope', 'yes', 'grant'),
  'surveys.answer': buildRules('survey', 'survey', 'survey', 'survey', 'survey', 'no'),
  'activities.edit': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'activities.publish': buildRules('no', 'no', 'review', 'scope', 'yes', 'no'),
  'contributions.post': buildRules('activity', 'activity', 'activity', 'activity', 'activity', 'no'),
  'contributions.react': buildRules('activity', 'activity', 'activity', 'activity', 'activity', 'no'),
  'budgets.vote': buildRules('activity', 'activity', 'activity', 'activity', 'activity', 'no'),
  'budgets.edit': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'budgets.certify': buildRules('no', 'no', 'no', 'hub', 'yes', 'no'),
  'events.sign-up': buildRules('activity', 'activity', 'activity', 'activity', 'activity', 'no'),
  'events.edit': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'contributions.answer': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'contributions.moderate': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'moderation.appeals': buildRules('no', 'no', 'no', 'hub', 'yes', 'no'),
  'contributions.see-original': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'moderation.rules': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'eligibility-lists.see': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'eligibility-lists.edit': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'verifications.confirm': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'account.own-data': buildRules('no', 'own', 'own', 'own', 'own', 'own'),
  'account.secure': buildFreshRules('no', 'own', 'own', 'own', 'own', 'own'),
  'projects.create': buildRules('no', 'no', 'no', 'hub', 'yes', 'no'),
  'projects.edit': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'projects.publish': buildRules('no', 'no', 'review', 'scope', 'yes', 'no'),
  'projects.delete': buildRules('no', 'no', 'no', 'never-published', 'yes', 'no'),
  'responses.see': buildRules('no', 'no', 'scope', 'scope', 'yes', 'no'),
  'responses.export-personal': buildFreshRules('no', 'no', 'granted', 'hub', 'yes', 'no'),
  'participants.manage': buildRules('no', 'no', 'no', 'hub', 'yes', 'no'),
  'participants.export': buildFreshRules('no', 'no', 'no', 'hub', 'yes', 'no'),
  'participants.export-one': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'participants.erase': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'participants.merge': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'profile-questions.edit': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'profile-answers.see-sensitive': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'consents.export': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'campaigns.send': buildRules('no', 'no', 'drafts', 'hub', 'yes', 'no'),
  'project-admins.add': buildFreshRules('no', 'no', 'no', 'hub', 'yes', 'no'),
  'hub-admins.add': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'site-admins.add': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'hubs.create': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'hubs.edit-homepage': buildRules('no', 'no', 'no', 'hub', 'yes', 'no'),
  'site.edit': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'second-steps.require': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'second-steps.reset': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'api-tokens.create': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'city-connectors.set-token': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'audit.see': buildRules('no', 'no', 'scope', 'hub', 'yes', 'own-acts'),
  'audit.export': buildFreshRules('no', 'no', 'scope', 'hub', 'yes', 'own-acts'),
  'marketplace.configure': buildRules('no', 'no', 'no', 'no', 'yes', 'catalogue'),
  'marketplace.connect': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'identity.see': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'identity.configure': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'sites.manage': buildRules('no', 'no', 'no', 'no', 'no', 'yes'),
  'sites.invite-first-admin': buildFreshRules('no', 'no', 'no', 'no', 'no', 'yes'),
  'sites.delete': buildFreshRules('no', 'no', 'no', 'no', 'no', 'yes'),
  'sites.export': buildFreshRules('no', 'no', 'no', 'no', 'no', 'yes'),
  'features.switch': buildRules('no', 'no', 'no', 'no', 'no', 'yes'),
  'support.enter': buildRules('no', 'no', 'no', 'no', 'no', 'grant'),
  'support.revoke': buildRules('no', 'no', 'no', 'no', 'yes', 'no'),
  'support.grant': buildFreshRules('no', 'no', 'no', 'no', 'yes', 'no'),
} as const satisfies Record<string, Rules & { freshSignIn: boolean }>

export type Action = keyof typeof PERMISSIONS

/** The actions that need a fresh sign-in. */
export type FreshAction = { [A in Action]: (typeof PERMISSIONS)[A]['freshSignIn'] extends true ? A : never }[Action]
