import { ACTORS, type Action, type Actor, type Rule } from '#app/features/permissions/permissions.schema.ts'

/**
 * Who may do what, as the specification says it: the table of PRODUCT 2.2, word for word. Tests of permissions take what they expect from
 * here and never from the code, so that a wrong cell in the code fails. Only a change of the specification changes it.
 */
const PRODUCT_2_2 = `
| action | visitor | participant | project_admin | hub_admin | site_admin | platform_admin |
|---|---|---|---|---|---|---|
| see a published public project | yes | yes | yes | yes | yes | yes |
| see a members-only project | no | if member | in scope | in scope | yes | with support grant |
| see a draft | with a preview link | with a preview link | in scope | in scope | yes | with support grant |
| answer a survey | if it allows | if it allows | if eligible | if eligible | if eligible | no |
| export or delete own data | no | own | own | own | own | own |
| create a project | no | no | no | own hub | yes | no |
| edit content, surveys | no | no | in scope | in scope | yes | no |
| publish, schedule, archive | no | no | asks for review | in scope | yes | no |
| delete a project | no | no | no | never-published only | yes | no |
| see responses | no | no | in scope | in scope | yes | no |
| export personal data | no | no | if granted; logged | own hub; logged | logged | no |
| manage participants | no | no | no | participants of own hub only | yes | no |
| erase a participant or a response | no | no | no | no | with a reason; logged | no |
| send SMS or e-mail campaigns | no | no | drafts only | own hub's audience | yes | no |
| add a project_admin | no | no | no | own hub | yes | no |
| add a hub_admin; create a hub | no | no | no | no | yes | no |
| hub homepage | no | no | no | own hub | yes | no |
| site homepage, appearance, navigation, legal pages | no | no | no | no | yes | no |
| audit trail | no | no | own projects | own hub | site | platform, and own acts |
| marketplace: install and configure | no | no | no | no | yes | catalogue |
| create, suspend a site; domains; first site_admin | no | no | no | no | no | yes |
| feature switches (platform default, per-site override) | no | no | no | no | no | yes |
| enter a site for support | no | no | no | no | grants it | 14 days, logged |
`

/** The rows that activities and contributions add (decisions 0043, 0047, 0051, 0155 and 0250), in the words of the same table. */
const PARTICIPATION = `
| take part in an activity | if it allows | if it allows | if it allows | if it allows | if it allows | no |
| answer for the team | no | no | in scope | in scope | yes | no |
| moderate | no | no | in scope | in scope | yes | no |
| decide appeals | no | no | no | own hub | yes | no |
| certify the result of a budget | no | no | no | own hub | yes | no |
| read what was removed from a text | no | no | no | no | yes | no |
| rules of moderation | no | no | no | no | yes | no |
| lists of who may take part | no | no | no | no | yes | no |
| confirm a person who was met | no | no | no | no | yes | no |
`

/** Rows for what a stolen or forgotten session must not do (decision 0202), in the words of the same table. */
const FRESH_ROWS = `
| see who provides accounts | no | no | no | no | yes | no |
| connect those who provide accounts, with their rules | no | no | no | no | yes | no |
| add a site_admin | no | no | no | no | yes | no |
| two-step sign-in of others | no | no | no | no | yes | no |
| make an API token | no | no | no | no | yes | no |
| credentials of integrations | no | no | no | no | yes | no |
| the file of a person, merging, lists of consents | no | no | no | no | yes | no |
| questions about people, and single sensitive answers | no | no | no | no | yes | no |
`

/** What needs a fresh sign-in, in the words of decision 0202. */
const FRESH_SIGN_IN: Record<string, readonly Action[]> = {
  'identity providers with their rules, secrets and certificates': ['identity.configure'],
  roles: ['project-admins.add', 'hub-admins.add', 'site-admins.add', 'sites.invite-first-admin'],
  'support grants': ['support.grant'],
  'API tokens': ['api-tokens.create'],
  'credentials of integrations': ['marketplace.connect', 'city-connectors.set-token'],
  'code batches, eligibility lists and in-person verifications': ['eligibility-lists.edit', 'verifications.confirm'],
  'export of personal data': [
    'responses.export-personal',
    'participants.export',
    'participants.export-one',
    'consents.export',
    'audit.export',
  ],
  'erasure of people, responses, contributions and sites': ['participants.erase', 'sites.delete'],
  'merging of people': ['participants.merge'],
  'single sensitive answers': ['profile-answers.see-sensitive'],
  'backups and site exports': ['sites.export'],
  'the second step of signing in, of oneself and of others': ['account.secure', 'second-steps.require', 'second-steps.reset'],
}

const RULES: Record<string, Rule> = {
  yes: 'yes',
  no: 'no',
  'if member': 'member',
  'in scope': 'scope',
  'with support grant': 'grant',
  'with a preview link': 'link',
  'if it allows': 'survey',
  'if eligible': 'survey',
  own: 'own',
  'own hub': 'hub',
  'asks for review': 'review',
  'never-published only': 'never-published',
  'if granted; logged': 'granted',
  'own hub; logged': 'hub',
  logged: 'yes',
  'participants of own hub only': 'hub',
  'with a reason; logged': 'yes',
  'drafts only': 'drafts',
  "own hub's audience": 'hub',
  'own projects': 'scope',
  site: 'yes',
  'platform, and own acts': 'own-acts',
  catalogue: 'catalogue',
}

/** The row that each action of the code stands for. */
const ROWS: Record<Action, string> = {
  'projects.see-published': 'see a published public project',
  'projects.see-members-only': 'see a members-only project',
  'projects.see-draft': 'see a draft',
  'surveys.answer': 'answer a survey',
  'activities.edit': 'edit content, surveys',
  'activities.publish': 'publish, schedule, archive',
  'contributions.post': 'take part in an activity',
  'contributions.react': 'take part in an activity',
  'budgets.vote': 'take part in an activity',
  'budgets.edit': 'edit content, surveys',
  'events.sign-up': 'take part in an activity',
  'events.edit': 'edit content, surveys',
  'budgets.certify': 'certify the result of a budget',
  'contributions.answer': 'answer for the team',
  'contributions.moderate': 'moderate',
  'moderation.appeals': 'decide appeals',
  'contributions.see-original': 'read what was removed from a text',
  'moderation.rules': 'rules of moderation',
  'eligibility-lists.see': 'lists of who may take part',
  'eligibility-lists.edit': 'lists of who may take part',
  'verifications.confirm': 'confirm a person who was met',
  'account.own-data': 'export or delete own data',
  'account.secure': 'export or delete own data',
  'projects.create': 'create a project',
  'projects.edit': 'edit content, surveys',
  'projects.publish': 'publish, schedule, archive',
  'projects.delete': 'delete a project',
  'responses.see': 'see responses',
  'responses.export-personal': 'export personal data',
  'participants.manage': 'manage participants',
  'participants.export': 'manage participants',
  'participants.export-one': 'the file of a person, merging, lists of consents',
  'participants.erase': 'erase a participant or a response',
  'participants.merge': 'the file of a person, merging, lists of consents',
  'profile-questions.edit': 'questions about people, and single sensitive answers',
  'profile-answers.see-sensitive': 'questions about people, and single sensitive answers',
  'consents.export': 'the file of a person, merging, lists of consents',
  'campaigns.send': 'send SMS or e-mail campaigns',
  'project-admins.add': 'add a project_admin',
  'hub-admins.add': 'add a hub_admin; create a hub',
  'site-admins.add': 'add a site_admin',
  'hubs.create': 'add a hub_admin; create a hub',
  'hubs.edit-homepage': 'hub homepage',
  'site.edit': 'site homepage, appearance, navigation, legal pages',
  'second-steps.require': 'two-step sign-in of others',
  'second-steps.reset': 'two-step sign-in of others',
  'api-tokens.create': 'make an API token',
  'city-connectors.set-token': 'credentials of integrations',
  'audit.see': 'audit trail',
  'audit.export': 'audit trail',
  'marketplace.configure': 'marketplace: install and configure',
  'marketplace.connect': 'credentials of integrations',
  'identity.see': 'see who provides accounts',
  'identity.configure': 'connect those who provide accounts, with their rules',
  'sites.manage': 'create, suspend a site; domains; first site_admin',
  'sites.invite-first-admin': 'create, suspend a site; domains; first site_admin',
  'sites.delete': 'create, suspend a site; domains; first site_admin',
  'sites.export': 'create, suspend a site; domains; first site_admin',
  'features.switch': 'feature switches (platform default, per-site override)',
  'support.enter': 'enter a site for support',
  'support.revoke': 'enter a site for support',
  'support.grant': 'enter a site for support',
}

/** "grants it" and "14 days, logged" stand in one row: for letting enter and taking that back, and for entering. */
const readSupportCell = (action: Action, cell: string): Rule | undefined => {
  if (cell === 'grants it') return action === 'support.enter' ? 'no' : 'yes'
  if (cell === '14 days, logged') return action === 'support.enter' ? 'grant' : 'no'
  return undefined
}

const cellsByRow = new Map(
  `${PRODUCT_2_2}${PARTICIPATION}${FRESH_ROWS}`
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').slice(1, -1))
    .map(([title = '', ...cells]) => [title.trim(), cells.map((cell) => cell.trim())] as const),
)

function readRules(action: Action): Record<Actor, Rule> {
  const cells = cellsByRow.get(ROWS[action])
  if (!cells) throw new Error(`The specification has no row "${ROWS[action]}"`)
  const rules = ACTORS.map((actor, at) => {
    const cell = cells[at] ?? ''
    const rule = readSupportCell(action, cell) ?? RULES[cell]
    if (!rule) throw new Error(`"${cell}" has no meaning`)
    return [actor, rule === 'survey' && ROWS[action] === 'take part in an activity' ? 'activity' : rule] as const
  })
  return Object.fromEntries(rules) as Record<Actor, Rule>
}

const fresh = new Set(Object.values(FRESH_SIGN_IN).flat())

export const SPECIFIED_PERMISSIONS = Object.fromEntries(
  (Object.keys(ROWS) as Action[]).map((action) => [action, { ...readRules(action), freshSignIn: fresh.has(action) }]),
) as Record<Action, Record<Actor, Rule> & { freshSignIn: boolean }>
