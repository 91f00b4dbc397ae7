import { sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { createTestRuntime, type TestRuntime } from '#tests/support/database.ts'
import { CONTENT_TABLES } from './content-tables.ts'

/** Tables of which no page for many shows anything that has to be there at once, by why. */
const NOT_SHOWN: Readonly<Record<string, readonly string[]>> = {
  'one person’s, and read for each reader of a page': [
    'users',
    'sessions',
    'authenticator_apps',
    'passkeys',
    'passkey_challenges',
    'recovery_codes',
    'pending_sign_ins',
    'api_tokens',
    'one_time_links',
    'memberships',
    'support_grants',
    'people_group_members',
    'saved_views',
    'calendar_links',
    'report_views',
    'report_links',
    'mail_files',
    'read_notifications',
    'home_areas',
    'profile_answers',
    'profile_answer_options',
    'identities',
    'identity_requests',
    'saml_answers',
    'used_sign_in_keys',
    'user_phones',
    'phone_codes',
    'verifications',
    'verification_texts',
    'verification_codes',
    'project_members',
    'invitations',
    'eligibility_entries',
    'contribution_follows',
    'follow_digest_items',
    'contribution_digest_items',
    'email_digest_items',
  ],
  'what letters went to a random sample, shown as of a minute ago': ['invitation_batches'],
  'counts, shown as of a minute ago': [
    'reactions',
    'project_follows',
    'email_follows',
    'survey_quotas',
    'survey_counts',
    'survey_blocks',
    'survey_block_bits',
    'survey_publications',
  ],
  'answers, of which only published figures are shown': [
    'responses',
    'response_drafts',
    'response_files',
    'survey_participations',
    'theme_readings',
    'theme_suggestion_runs',
    'coding_samples',
    'coding_sample_texts',
    'coding_sample_codes',
    'theme_suggestions',
    'theme_suggestion_passages',
    'survey_exports',
    'response_changes',
    'response_days',
    'response_totals',
    'project_people',
    'place_people',
    'response_recounts',
  ],
  'who has voted, and how: shown as figures once counted': [
    'budget_ballots',
    'budget_voters',
    'budget_secrets',
    'budget_paper_batches',
    'budget_paper_sheets',
    'budget_paper_typings',
    'budget_counts',
  ],
  'who has signed up for an event: an event’s own row says how many': ['event_sign_ups'],
  'chains of hashes: read by nobody before the result they end with': ['ledgers', 'ledger_entries', 'ledger_waiting'],
  'chains of hashes of contributions: their page is rendered for each request, and so are receipts': [
    'activity_ledgers',
    'activity_ledger_entries',
    'activity_ledger_waiting',
    'contribution_leaves',
  ],
  'drafts, and tools of the administration': [
    'project_retentions',
    'retention_settings',
    'editor_presences',
    'revision_heads',
    'draft_links',
    'saved_sections',
    'stale_translations',
    'machine_texts',
    'project_revisions',
    'activity_revisions',
    'heard_report_revisions',
    'official_response_drafts',
    'official_answer_sets',
    'contribution_notes',
    'person_notes',
    'team_comments',
    'team_comment_versions',
    'team_mentions',
    'team_tasks',
    'team_mails',
    'weekly_mails',
    'jargon_lists',
    'reference_populations',
    'consultation_duties',
    'duty_waivers',
    'survey_revisions',
    'survey_revision_lists',
    'survey_imports',
    'bank_questions',
    'survey_keywords',
    'media_uploads',
    'audit_events',
    'audit_chains',
    'identity_provider_changes',
    'identity_role_rules',
    'identity_provider_tests',
    'site_deletions',
    'site_figures',
  ],
  'how contributions are moderated: what follows changes the contribution or reply': [
    'moderation_cases',
    'moderation_decisions',
    'moderation_word_lists',
    'moderation_reports',
    'moderation_appeals',
    'masked_originals',
  ],
  'messages and connections': [
    'outbox_mails',
    'campaign_mails',
    'message_links',
    'link_clicks',
    'mail_consents',
    'mail_addresses',
    'sms_messages',
    'campaigns',
    'text_conversations',
    'sms_consents',
    'former_sms_hooks',
    'installation_calls',
    'webhook_deliveries',
    'webhook_watches',
  ],
  'copies of open data, shown in the version that `city_datasets` names': [
    'city_dataset_rows',
    'city_dataset_orders',
    'city_dataset_words',
    'city_dataset_common_words',
  ],
  'an index of other tables, for searches, which are rendered for each request': ['search_words', 'search_places'],
  'how often pages are read': [
    'reach_salts',
    'reach_visits',
    'reach_days',
    'reach_steps',
    'reach_step_states',
    'engaged_days',
    'engaged_days_due',
  ],
  'the machinery': ['rate_limits', 'job_turns', 'parley_migrations', 'content_changes'],
}

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})

const readLines = async (query: ReturnType<typeof sql>) =>
  (await runtime.database.global.execute<{ line: string }>(query)).rows.map(({ line }) => line)

test('every table is either shown, so that its changes end pages, or not, with a reason', async () => {
  const tables = await readLines(sql`select tablename as line from pg_tables where schemaname = 'public'`)
  const listed = [...Object.keys(CONTENT_TABLES), ...Object.values(NOT_SHOWN).flat()]
  expect(listed.toSorted()).toEqual(tables.toSorted())
})

test('the database records the changes of exactly the tables that are shown', async () => {
  const triggered = await readLines(sql`select distinct tgrelid::regclass::text as line from pg_trigger where tgname = 'content_changed'`)
  expect(triggered.toSorted()).toEqual(Object.keys(CONTENT_TABLES).toSorted())
})

test('it records whom a changed row belongs to, by the columns that are declared', async () => {
  const columnsOfRow = String.raw`old\.(?:site_)?id, [^[]*\[([^]]*)\]::uuid`
  const recorded = await readLines(
    sql`select substring(proname from 'record_change_of_(.*)') || ' ' || coalesce(substring(prosrc from ${columnsOfRow}), '') as line
        from pg_proc where proname like 'record_change_of_%' and proname not in ('record_change_of_crowds', 'record_change_of_features')`,
  )
  // What concerns other tables or other sites is tested by what it ends.
  const { crowds: _, features: __, ...direct } = CONTENT_TABLES
  const declared = Object.entries(direct).map(([table, scopes]) => {
    const columns = Object.values(scopes).flat()
    return `${table} ${columns.length > 0 ? columns.map((column) => `old.${column}`).join(', ') : 'null'}`
  })
  expect(recorded.toSorted()).toEqual(declared.toSorted())
})

/** Columns whose changes end nothing, because they are not shown, or only as of a minute ago. */
const NOT_SHOWN_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  sites: ['content_version', 'hosts', 'sealed_key', 'import_id'],
  projects: ['participants', 'row_version'],
  project_updates: ['notified_at'],
  activities: ['numbered'],
  budget_rounds: ['has_ballots', 'seed', 'updated_at'],
  budget_options: ['told', 'told_until', 'told_at'],
  events: ['updated_at'],
  contributions: ['supports', 'disagrees', 'receipt_hash', 'doubt', 'assignee_id'],
  contribution_links: ['told_until', 'told_at'],
  contribution_photos: ['key_hash', 'touched_at', 'giver_hash', 'browser_hash'],
  replies: ['receipt_hash'],
  official_responses: ['told_until', 'told_at', 'tells', 'group_id'],
  surveys: ['responses_count', 'responses_numbered', 'review_requested_at', 'review_requested_by'],
  crowds: ['first_at', 'last_at', 'address_hash', 'decision', 'decided_at', 'decided_by'],
  installations: [
    'sealed_secrets',
    'health',
    'failures',
    'paused_until',
    'last_used_at',
    'last_fault',
    'failing_since',
    'paced_until',
    'updated_at',
  ],
  identity_providers: ['tested_at', 'reminded_at', 'metadata_read_at', 'updated_at'],
  city_connectors: ['sealed_token', 'every_minutes', 'failures', 'paused_until', 'updated_at'],
  city_datasets: ['checked_at', 'validators', 'run', 'lease_until', 'due_at', 'failures', 'updated_at'],
}

test('a change of any other column of a table that is shown is recorded, that of a new column too', async () => {
  const silent = await readLines(
    sql`select c.relname || '.' || a.attname as line from pg_trigger t join pg_class c on c.oid = t.tgrelid
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        where t.tgname = 'content_changed' and cardinality(t.tgattr) > 0 and not a.attnum = any (t.tgattr) and a.attname <> 'lock_version'`,
  )
  const declared = Object.entries(NOT_SHOWN_COLUMNS).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`))
  expect(silent.toSorted()).toEqual(declared.toSorted())
})
