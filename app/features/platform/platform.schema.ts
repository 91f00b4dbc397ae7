/** Every background job, by its name in the queue. */
export const JOB_NAMES = [
  'publish-due-projects',
  'announce-revisions',
  'mail-updates',
  'mail-digests',
  'mail-reports',
  'mail-weekly',
  'remind-of-events',
  'return-held-texts',
  'tell-reporters',
  'mail-due-work',
  'remind-of-certificates',
  'tell-merges',
  'send-answers',
  'tell-of-answers',
  'tell-proposers',
  'deliver-mails',
  'run-campaigns',
  'send-texts',
  'tend-conversations',
  'deliver-webhooks',
  'sweep-calls',
  'sweep-webhooks',
  'synchronise-city-data',
  'sweep-verifications',
  'sweep-uploads',
  'sweep-contribution-photos',
  'erase-originals',
  'sweep-response-files',
  'sweep-response-drafts',
  'append-ledgers',
  'make-response-blocks',
  'make-exports',
  'suggest-themes',
  'count-rounds',
  'remove-personal-data',
  'expire-exports',
  'make-site-exports',
  'erase-sites',
  'roll-up-reach',
  'thin-revisions',
  'count-responses',
  'recount-responses',
  'check-figures',
  'count-platform-figures',
  'sweep',
] as const
export type JobName = (typeof JOB_NAMES)[number]

/** Last run succeeded, last run failed, overdue, or not yet run. */
export const JOB_STATES = ['well', 'failing', 'late', 'new'] as const
export type JobState = (typeof JOB_STATES)[number]

export const FIGURE_SORTS = ['name', 'openProjects', 'responses', 'participants', 'aware', 'engaged'] as const

/** Reach covers this many days, today included. */
export const FIGURE_DAYS = 30
