/**
 * Tables without row-level security: they hold nothing about one site's people or content. `site_deletions` outlives the site it is about;
 * `site_figures` holds counts for each site.
 */
export const GLOBAL_TABLES = [
  'sites',
  'site_domains',
  'features',
  'site_deletions',
  'site_figures',
  'job_turns',
  'parley_migrations',
] as const

/** The site that holds the platform's own accounts, sessions and audit trail. No host name leads to it. */
export const PLATFORM_SITE_ID = '00000000-0000-7000-8000-000000000000'

/** Tables that the application may only read and insert into. */
export const APPEND_ONLY_TABLES: readonly string[] = ['audit_events']

/**
 * Tables in which `sites_with_work` looks across sites. It runs as the owner of the tables, which row-level security otherwise keeps to one
 * site as well.
 */
export const WORK_TABLES: readonly string[] = [
  'activities',
  'appearance_revisions',
  'campaigns',
  'city_connectors',
  'city_datasets',
  'contribution_digest_items',
  'contribution_links',
  'contributions',
  'email_digest_items',
  'engaged_days_due',
  'follow_digest_items',
  'homepage_revisions',
  'installations',
  'moderation_appeals',
  'moderation_cases',
  'moderation_reports',
  'official_responses',
  'outbox_mails',
  'project_updates',
  'projects',
  'reach_salts',
  'response_changes',
  'response_recounts',
  'responses',
  'sms_messages',
  'survey_exports',
  'surveys',
  'text_conversations',
]
