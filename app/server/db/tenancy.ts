/**
 * Tables without row-level security: they hold nothing of one site's people or content. `site_deletions` outlives the site it tells of;
 * `site_figures` has counts of each site.
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

/** Tables that the application may add to and read, and nothing else. */
export const APPEND_ONLY_TABLES: readonly string[] = ['audit_events']
