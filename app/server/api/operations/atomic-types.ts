/**
 * Types of resources that atomic operations may change: their use-cases write to the database only, so that everything they did can be taken
 * back. What also writes files, sends something or calls another service needs a request of its own.
 */
export const ATOMIC_TYPES: ReadonlySet<string> = new Set([
  'activities',
  'archivals',
  'bank-questions',
  'categories',
  'contribution-statuses',
  'groups',
  'hubs',
  'moderation-rules',
  'moderation-word-lists',
  'official-responses',
  'pages',
  'project-stages',
  'project-updates',
  'projects',
  'publications',
  'saved-sections',
  'survey-archivals',
  'survey-versions',
  'surveys',
  'topics',
])
