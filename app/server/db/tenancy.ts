/**
 * Tables without row-level security: they hold nothing about one site's people or content. `site_deletions` outlives the site it is about;
 * `site_figures` holds counts for each site, `content_changes` names of tables and ids.
 */
export const GLOBAL_TABLES = [
  'sites',
  'site_domains',
  'features',
  'site_deletions',
  'site_figures',
  'content_changes',
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
  'activity_ledger_waiting',
  'activity_revisions',
  'appearance_revisions',
  'budget_counts',
  'budget_options',
  'budget_results',
  'budget_rounds',
  'campaigns',
  'city_connectors',
  'city_datasets',
  'code_batches',
  'contribution_digest_items',
  'contribution_links',
  'contribution_photos',
  'contributions',
  'eligibility_lists',
  'email_digest_items',
  'engaged_days_due',
  'event_sign_ups',
  'events',
  'follow_digest_items',
  'heard_report_revisions',
  'homepage_revisions',
  'identity_provider_tests',
  'identity_providers',
  'identity_requests',
  'installation_calls',
  'installations',
  'ledger_waiting',
  'mail_consents',
  'masked_originals',
  'media_uploads',
  'moderation_appeals',
  'moderation_cases',
  'moderation_reports',
  'moderation_settings',
  'official_answer_sets',
  'official_responses',
  'one_time_links',
  'outbox_mails',
  'passkey_challenges',
  'pending_sign_ins',
  'phone_codes',
  'project_retentions',
  'project_revisions',
  'project_updates',
  'projects',
  'rate_limits',
  'reach_salts',
  'response_changes',
  'response_drafts',
  'response_files',
  'response_recounts',
  'responses',
  'retention_settings',
  'saml_answers',
  'sessions',
  'sms_consents',
  'sms_messages',
  'survey_exports',
  'survey_revisions',
  'surveys',
  'text_conversations',
  'theme_suggestion_runs',
  'used_sign_in_keys',
  'verification_texts',
  'verifications',
  'webhook_deliveries',
  'weekly_mails',
]
