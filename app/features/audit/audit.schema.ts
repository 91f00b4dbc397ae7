import type people from '../../../locales/en/people.json'

type ActionTexts = (typeof people)['audit']['actions']

/** Thing and verb: `projects.publish`, `responses.export`. An action without a label in `locales` does not compile. */
export type AuditAction = { [Thing in keyof ActionTexts]: `${Thing}.${keyof ActionTexts[Thing] & string}` }[keyof ActionTexts]

/** The first part of an action's name, as filters offer it. */
export const AUDIT_KINDS = [
  'projects',
  'project-documents',
  'project-members',
  'surveys',
  'responses',
  'project-updates',
  'project-stages',
  'themes',
  'decisions',
  'consultation-duties',
  'heard-reports',
  'activities',
  'budgets',
  'events',
  'map-layers',
  'map-files',
  'contributions',
  'team-comments',
  'tasks',
  'replies',
  'moderation-rules',
  'moderation-word-lists',
  'jargon-lists',
  'moderation-settings',
  'moderation-decisions',
  'moderation-reports',
  'moderation-appeals',
  'eligibility-lists',
  'code-batches',
  'postcode-settings',
  'verifications',
  'hubs',
  'topics',
  'pages',
  'users',
  'memberships',
  'groups',
  'profile-questions',
  'reference-populations',
  'profile-answers',
  'mails',
  'sessions',
  'second-steps',
  'refusals',
  'infected-files',
  'sites',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

/** The site's own trail, or the platform's, which only platform administrators see. */
export const AUDIT_TRAILS = ['site', 'platform'] as const
export type AuditTrail = (typeof AUDIT_TRAILS)[number]

export const EVENTS_PER_PAGE = 50
