import { AppError } from '../../lib/app-error.ts'
import type { ApiAccess, ApiArea, ApiScope } from '../../lib/vocabulary/api-scopes.ts'
import type { Viewer } from '../auth/viewer.ts'

/**
 * The area that each type of resource belongs to, for tokens of programs. A type that is neither here nor for all tokens belongs to people, not
 * programs: their accounts, who holds which rights, and the platform.
 */
export const TYPES_BY_AREA: Record<ApiArea, readonly string[]> = {
  content: [
    'appearance-publications',
    'appearance-revisions',
    'archivals',
    'area-outlines',
    'areas',
    'calendar-dates',
    'consultation-duties',
    'decision-publications',
    'decisions',
    'heard-report-reviews',
    'heard-report-revisions',
    'heard-reports',
    'homepage-publications',
    'homepage-revisions',
    'hubs',
    'jargon-lists',
    'lost-areas',
    'map-files',
    'map-layers',
    'media-assets',
    'media-uploads',
    'pages',
    'project-documents',
    'project-placements',
    'project-reviews',
    'project-revision-publications',
    'project-revisions',
    'project-stages',
    'project-templates',
    'project-updates',
    'projects',
    'publications',
    'saved-sections',
    'tasks',
    'team-comments',
    'topics',
  ],
  surveys: [
    'bank-questions',
    'project-figures',
    'survey-archivals',
    'survey-areas',
    'survey-changes',
    'survey-comparisons',
    'survey-completions',
    'survey-cross-tables',
    'survey-invitation-batches',
    'survey-results',
    'survey-reviews',
    'survey-revisions',
    'survey-versions',
    'surveys',
  ],
  responses: [
    'answer-taggings',
    'answer-tags',
    'coding-samples',
    'exports',
    'open-answer-decisions',
    'open-answers',
    'response-drafts',
    'response-erasures',
    'response-files',
    'responses',
    'theme-evidence',
    'theme-suggestion-passages',
    'theme-suggestion-runs',
    'theme-suggestions',
    'themes',
    'written-answers',
    'written-words',
  ],
  contributions: [
    'activities',
    'activity-invitation-batches',
    'activity-reviews',
    'activity-revision-publications',
    'activity-revisions',
    'budget-counts',
    'budget-options',
    'budget-overrides',
    'budget-pots',
    'budget-results',
    'budget-rounds',
    'categories',
    'contribution-links',
    'contribution-notes',
    'contribution-statuses',
    'contribution-translations',
    'contribution-versions',
    'contributions',
    'events',
    'masked-originals',
    'moderation-appeals',
    'moderation-cases',
    'moderation-decisions',
    'moderation-reports',
    'moderation-rules',
    'moderation-settings',
    'moderation-word-lists',
    'official-response-agreements',
    'official-response-drafts',
    'official-responses',
    'reactions',
    'replies',
  ],
  people: [
    'code-batches',
    'eligibility-lists',
    'event-attendances',
    'event-sign-ups',
    'groups',
    'mail-addresses',
    'person-notes',
    'postcode-settings',
    'profile-answer-looks',
    'profile-answers',
    'profile-questions',
    'reference-populations',
    'project-admissions',
    'project-members',
    'project-retentions',
    'retention-settings',
    'user-blocks',
    'users',
    'verification-texts',
    'verifications',
  ],
  messages: [
    'newsletter-estimates',
    'newsletter-recipients',
    'newsletter-sendings',
    'newsletter-tests',
    'newsletters',
    'sms-campaigns',
    'sms-estimates',
    'sms-messages',
    'sms-recipients',
    'campaign-failures',
    'link-clicks',
    'sms-sendings',
    'sms-tests',
  ],
  connections: [
    'city-connectors',
    'city-datasets',
    'city-synchronisations',
    'installation-calls',
    'installation-tests',
    'installations',
    'integrations',
    'webhook-deliveries',
    'webhook-replays',
  ],
  audit: ['audit-check', 'audit-events'],
}

/** What every token may read. */
export const TYPES_FOR_ALL_TOKENS = ['current-site', 'current-user', 'features', 'libraries-details', 'opencities-meta', 'site-features']

const AREA_OF_TYPE = new Map(
  Object.entries(TYPES_BY_AREA).flatMap(([area, types]) => types.map((type) => [type, area as ApiArea] as const)),
)

/** Whether a token's scopes allow this; sessions and visitors have none to ask about. */
export function isInScope(viewer: Viewer, type: string, access: ApiAccess): boolean {
  if (viewer.kind === 'visitor' || !viewer.apiToken) return true
  if (access === 'read' && TYPES_FOR_ALL_TOKENS.includes(type)) return true
  const area = AREA_OF_TYPE.get(type)
  const allowing: ApiScope[] = area ? [`${area}:write`, ...(access === 'read' ? [`${area}:read` as const] : [])] : []
  return allowing.some((scope) => viewer.apiToken?.scopes.includes(scope))
}

/** @throws {AppError} `forbidden` */
export function requireScope(viewer: Viewer, type: string, access: ApiAccess): void {
  if (!isInScope(viewer, type, access)) throw new AppError('forbidden', { detail: { key: 'outside-scope' } })
}

/** False for programs whose token can only read. */
export const mayWriteSomething = (viewer: Viewer): boolean =>
  viewer.kind !== 'visitor' && (viewer.apiToken?.scopes.some((scope) => scope.endsWith(':write')) ?? true)
