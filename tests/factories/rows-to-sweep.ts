import { sql, type SQL } from 'drizzle-orm'

export const NOW = new Date('2026-05-04T12:00:00Z')
const HOUR = 3_600_000
const DAY = 24 * HOUR

export type SweepJob =
  | 'sweep-calls'
  | 'sweep-webhooks'
  | 'sweep-verifications'
  | 'sweep-uploads'
  | 'sweep-contribution-photos'
  | 'erase-originals'
  | 'sweep-response-files'
  | 'sweep-response-drafts'
  | 'expire-exports'
  | 'send-answers'
  | 'thin-revisions'
  | 'sweep'

/** What rows refer to. */
export interface SweepGround {
  siteId: string
  userId: string
  projectId: string
  activityId: string
  surveyId: string
  contributionId: string
  installationId: string
  providerId: string
}

interface RowToSweep {
  job: SweepJob
  table: string
  /** How long it is kept, as the privacy record says it. */
  keptFor?: number
  /** @param at its time, as SQL; @param isDue for rows that no time makes due */
  insert: (ground: SweepGround, at: SQL, isDue: boolean) => SQL
}

const ID = sql`gen_random_uuid()`
const HASH = sql`sha256(gen_random_uuid()::text::bytea)`

const insertDraft = ({ siteId, surveyId }: SweepGround, id: SQL, at: SQL, userId: string | null): SQL => sql`
  insert into response_drafts (site_id, id, survey_id, version, user_id, language, answers, updated_at)
  values (${siteId}, ${id}, ${surveyId}, 1, ${userId}, 'en', '{}', ${at})`

const insertFile = (
  { siteId, surveyId }: SweepGround,
  holder: SQL,
  { id = ID, touchedAt, sentAt = sql`null` }: { id?: SQL; touchedAt: SQL; sentAt?: SQL },
) => sql`
  insert into response_files (site_id, id, survey_id, question, held_by, key_hash, name, media_type, bytes, touched_at, sent_at)
  values (${siteId}, ${id}, ${surveyId}, 'photo', ${holder}, 'x', 'a.png', 'image/png', 1, ${touchedAt}, ${sentAt})`

const insertPhoto = ({ siteId, contributionId }: SweepGround, touchedAt: SQL, sentAt: SQL, goneAt: SQL): SQL => sql`
  insert into contribution_photos (site_id, id, activity_id, held_by, key_hash, width, height, bytes, touched_at, sent_at, gone_at)
  values (${siteId}, ${ID}, ${ID}, ${contributionId}, 'x', 1, 1, 1, ${touchedAt}, ${sentAt}, ${goneAt})`

const insertOriginal = ({ siteId, contributionId }: SweepGround, at: SQL): SQL => sql`
  insert into masked_originals (site_id, id, contribution_id, texts, masked_at) values (${siteId}, ${ID}, ${contributionId}, '{}', ${at})`

/** Two autosaves of the same ten minutes: the earlier one goes. */
const insertAutosaves = (
  table: string,
  { siteId }: SweepGround,
  at: SQL,
  more: { column: string; value: SQL; content?: string },
): SQL => sql`
  insert into ${sql.identifier(table)} (site_id, id, ${sql.identifier(more.column)}, ${sql.identifier(more.content ?? 'content')}, created_at)
  select ${siteId}, gen_random_uuid(), ${more.value}, '{}', saved_at from (values (${at}), (${at} - interval '1 minute')) saved(saved_at)`

const insertConsent = (table: 'mail_consents' | 'sms_consents', { siteId }: SweepGround, at: SQL): SQL => sql`
  insert into ${sql.identifier(table)} (site_id, id, ${sql.identifier(table === 'mail_consents' ? 'email' : 'phone')}, given, words, language, source, at)
  select ${siteId}, gen_random_uuid(), 'gone', false, '', 'en', 'account', given_at from (values (${at}), (${at} - interval '90 days')) ledger(given_at)`

const insertText = ({ siteId }: SweepGround, at: SQL, campaignId: SQL): SQL => sql`
  insert into sms_messages (site_id, id, direction, purpose, status, phone, language, body, created_at, campaign_id)
  values (${siteId}, ${ID}, 'out', 'campaign', 'delivered', '+14165550177', 'en', 'Bus', ${at}, ${campaignId})`

const insertMail = ({ siteId }: SweepGround, at: SQL, sentAt: SQL, fault: SQL): SQL => sql`
  insert into outbox_mails (site_id, id, recipient, language, subject, body_text, body_html, created_at, sent_at, fault)
  values (${siteId}, ${ID}, 'ann@example.org', 'en', '', '', '', ${at}, ${sentAt}, ${fault})`

/** Rows that a job deletes or changes once they are due, by what they are. */
export const ROWS_TO_SWEEP: Record<string, RowToSweep> = {
  'the 501st request of a service': {
    job: 'sweep-calls',
    table: 'installation_calls',
    insert: ({ siteId, installationId }, _, isDue) => sql`
      insert into installation_calls (site_id, id, installation_id, at, operation, target, outcome, milliseconds)
      select ${siteId}, gen_random_uuid(), ${installationId}, ${NOW.toISOString()}, 'send', '', 'ok', 1 from generate_series(1, ${isDue ? 501 : 500}::int)`,
  },
  'a webhook settled long ago': {
    job: 'sweep-webhooks',
    table: 'webhook_deliveries',
    keptFor: 30 * DAY,
    insert: ({ siteId, installationId }, at) => sql`
      insert into webhook_deliveries (site_id, id, installation_id, event, subject_id, body, status, occurred_at, tried_since, delivered_at)
      values (${siteId}, ${ID}, ${installationId}, 'response', ${ID}, '', 'delivered', ${at} - interval '9 days', ${at} - interval '1 day', ${at})`,
  },
  'a verification': {
    job: 'sweep-verifications',
    table: 'verifications',
    insert: ({ siteId, userId }, at) => sql`
      insert into verifications (site_id, id, user_id, subject_hash, method, level, valid_until, created_at)
      values (${siteId}, ${ID}, ${userId}, ${HASH}, 'in_person', 'contact', ${at}, now())`,
  },
  'a list of people': {
    job: 'sweep-verifications',
    table: 'eligibility_lists',
    insert: ({ siteId }, at) => sql`
      insert into eligibility_lists (site_id, id, name, level, fields, valid_until) values (${siteId}, ${ID}, '{}', 'contact', '{}', ${at})`,
  },
  'letters with codes': {
    job: 'sweep-verifications',
    table: 'code_batches',
    insert: ({ siteId }, at) => sql`
      insert into code_batches (site_id, id, name, level, total, valid_until, created_at) values (${siteId}, ${ID}, '', 'contact', 1, ${at}, now())`,
  },
  'a texted code': {
    job: 'sweep-verifications',
    table: 'verification_texts',
    insert: ({ siteId }, at) => sql`
      insert into verification_texts (site_id, id, phone_hash, code_hash, expires_at) values (${siteId}, ${ID}, 'x', 'x', ${at})`,
  },
  'an upload that was never continued': {
    job: 'sweep-uploads',
    table: 'media_uploads',
    keptFor: 48 * HOUR,
    insert: ({ siteId, userId }, at) => sql`
      insert into media_uploads (site_id, id, name, bytes, created_by, created_at) values (${siteId}, ${ID}, '', 1, ${userId}, ${at})`,
  },
  'an upload that was abandoned': {
    job: 'sweep-uploads',
    table: 'media_uploads',
    keptFor: 48 * HOUR,
    insert: ({ siteId, userId }, at) => sql`
      insert into media_uploads (site_id, id, name, bytes, created_by, created_at, touched_at)
      values (${siteId}, ${ID}, '', 1, ${userId}, ${at} - interval '9 days', ${at})`,
  },
  'a photo that was not sent': {
    job: 'sweep-contribution-photos',
    table: 'contribution_photos',
    keptFor: DAY,
    insert: (ground, at) => insertPhoto(ground, at, sql`null`, sql`null`),
  },
  'a photo of an erased contribution': {
    job: 'sweep-contribution-photos',
    table: 'contribution_photos',
    insert: (ground, at, isDue) => insertPhoto(ground, sql`${at} - interval '9 days'`, at, isDue ? at : sql`null`),
  },
  'what a removed passage said': {
    job: 'erase-originals',
    table: 'masked_originals',
    keptFor: NOW.getTime() - Date.parse('2025-05-04T12:00:00Z'),
    insert: insertOriginal,
  },
  'what a removed passage said, on a site that keeps it for two months': {
    job: 'erase-originals',
    table: 'masked_originals',
    keptFor: NOW.getTime() - Date.parse('2026-03-04T12:00:00Z'),
    insert: (ground, at) => sql`
      with kept as (insert into moderation_settings (site_id, originals_kept_months) values (${ground.siteId}, 2)) ${insertOriginal(ground, at)}`,
  },
  'what a removed passage said, unless an appeal waits': {
    job: 'erase-originals',
    table: 'masked_originals',
    insert: (ground, _, isDue) => sql`
      with one as (select gen_random_uuid() as case_id, gen_random_uuid() as decision_id),
      opened as (
        insert into moderation_cases (site_id, id, contribution_id, opened_by, due_at)
        select ${ground.siteId}, case_id, ${ground.contributionId}, 'staff', '2199-01-01' from one),
      decided as (insert into moderation_decisions (site_id, id, case_id, decision) select ${ground.siteId}, decision_id, case_id, 'mask' from one),
      appealed as (
        insert into moderation_appeals (site_id, id, case_id, decision_id, appellant, words, state)
        select ${ground.siteId}, gen_random_uuid(), case_id, decision_id, 'author', '', ${isDue ? 'upheld' : 'pending'} from one)
      ${insertOriginal(ground, sql`'2025-01-01'::timestamptz`)}`,
  },
  'a file that was not sent': {
    job: 'sweep-response-files',
    table: 'response_files',
    keptFor: DAY,
    insert: (ground, at) => insertFile(ground, ID, { touchedAt: at }),
  },
  'a file of a draft, unless an account has it': {
    job: 'sweep-response-files',
    table: 'response_files',
    insert: (ground, at, isDue) => sql`
      with one as (select gen_random_uuid() as id),
      draft as (${insertDraft(ground, sql`(select id from one)`, at, isDue ? null : ground.userId)})
      ${insertFile(ground, sql`(select id from one)`, { touchedAt: sql`${at} - interval '9 days'` })}`,
  },
  'a file that an erased account gave': {
    job: 'sweep-response-files',
    table: 'response_files',
    insert: (ground, at, isDue) => sql`
      with one as (select gen_random_uuid() as id, gen_random_uuid() as file),
      response as (
        insert into responses (site_id, id, survey_id, version, language, answers, receipt_hash)
        select ${ground.siteId}, id, ${ground.surveyId}, 1, 'en',
          case when ${!isDue} then jsonb_build_object('photo', jsonb_build_object('files', jsonb_build_array(jsonb_build_object('id', file))))
            else '{}' end, ${HASH} from one)
      ${insertFile(ground, sql`(select id from one)`, {
        id: sql`(select file from one)`,
        touchedAt: isDue ? sql`'epoch'::timestamptz` : sql`${at} - interval '9 days'`,
        sentAt: at,
      })}`,
  },
  'an unfinished response': {
    job: 'sweep-response-drafts',
    table: 'response_drafts',
    keptFor: 60 * DAY,
    insert: (ground, at) => insertDraft(ground, ID, at, ground.userId),
  },
  'an export': {
    job: 'expire-exports',
    table: 'survey_exports',
    insert: ({ siteId, surveyId }, at) => sql`
      insert into survey_exports (site_id, id, survey_id, format, language, state, total, created_at, expires_at)
      values (${siteId}, ${ID}, ${surveyId}, 'csv', 'en', 'done', 1, now(), ${at})`,
  },
  'autosaves of a homepage': {
    job: 'thin-revisions',
    table: 'homepage_revisions',
    keptFor: DAY,
    insert: (ground, at) => insertAutosaves('homepage_revisions', ground, at, { column: 'hub_id', value: sql`null::uuid` }),
  },
  'autosaves of the look': {
    job: 'thin-revisions',
    table: 'appearance_revisions',
    keptFor: DAY,
    insert: (ground, at) =>
      insertAutosaves('appearance_revisions', ground, at, { column: 'hub_id', value: sql`null::uuid`, content: 'tokens' }),
  },
  'autosaves of a project': {
    job: 'thin-revisions',
    table: 'project_revisions',
    keptFor: DAY,
    insert: (ground, at) =>
      insertAutosaves('project_revisions', ground, at, { column: 'project_id', value: sql`${ground.projectId}::uuid` }),
  },
  'autosaves of an activity': {
    job: 'thin-revisions',
    table: 'activity_revisions',
    keptFor: DAY,
    insert: (ground, at) =>
      insertAutosaves('activity_revisions', ground, at, { column: 'activity_id', value: sql`${ground.activityId}::uuid` }),
  },
  'autosaves of a report': {
    job: 'thin-revisions',
    table: 'heard_report_revisions',
    keptFor: DAY,
    insert: (ground, at) =>
      insertAutosaves('heard_report_revisions', ground, at, { column: 'project_id', value: sql`${ground.projectId}::uuid` }),
  },
  'autosaves of a survey': {
    job: 'thin-revisions',
    table: 'survey_revisions',
    keptFor: DAY,
    insert: (ground, at) => insertAutosaves('survey_revisions', ground, at, { column: 'survey_id', value: sql`${ground.surveyId}::uuid` }),
  },
  'a count of attempts': {
    job: 'sweep',
    table: 'rate_limits',
    keptFor: 2 * DAY,
    insert: ({ siteId }, at) => sql`insert into rate_limits (site_id, key, window_start, count) values (${siteId}, 'x', ${at}, 1)`,
  },
  'a session': {
    job: 'sweep',
    table: 'sessions',
    insert: ({ siteId, userId }, at) => sql`
      insert into sessions (site_id, id, user_id, token_hash, expires_at) values (${siteId}, ${ID}, ${userId}, ${HASH}, ${at})`,
  },
  'a sign-in without its second step': {
    job: 'sweep',
    table: 'pending_sign_ins',
    insert: ({ siteId, userId }, at) => sql`
      insert into pending_sign_ins (site_id, id, user_id, token_hash, created_at, expires_at)
      values (${siteId}, ${ID}, ${userId}, ${HASH}, now(), ${at})`,
  },
  'a link in a mail': {
    job: 'sweep',
    table: 'one_time_links',
    keptFor: 30 * DAY,
    insert: ({ siteId, userId }, at) => sql`
      insert into one_time_links (site_id, id, user_id, purpose, token_hash, expires_at)
      values (${siteId}, ${ID}, ${userId}, 'confirm-email', ${HASH}, ${at})`,
  },
  'a key of a provider that was used': {
    job: 'sweep',
    table: 'used_sign_in_keys',
    insert: ({ siteId }, at) => sql`insert into used_sign_in_keys (site_id, key, expires_at) values (${siteId}, ${HASH}, ${at})`,
  },
  'a request for an account': {
    job: 'sweep',
    table: 'identity_requests',
    keptFor: 30 * DAY,
    insert: ({ siteId, providerId }, at) => sql`
      insert into identity_requests (site_id, id, provider_id, subject, email_proven, language, asked_at)
      values (${siteId}, ${ID}, ${providerId}, 'ann', false, 'en', ${at})`,
  },
  'a test of a provider': {
    job: 'sweep',
    table: 'identity_provider_tests',
    keptFor: 30 * DAY,
    insert: ({ siteId, providerId, userId }, at) => sql`
      insert into identity_provider_tests (site_id, id, provider_id, user_id, at, claims) values (${siteId}, ${ID}, ${providerId}, ${userId}, ${at}, '{}')`,
  },
  'an answer to many that was sent': {
    job: 'send-answers',
    table: 'official_answer_sets',
    keptFor: 7 * DAY,
    insert: ({ siteId, contributionId }, at) => sql`
      insert into official_answer_sets (site_id, id, contribution_ids, written_at, state, handled, finished_at)
      values (${siteId}, ${ID}, array[${contributionId}::uuid], now(), 'done', 1, ${at})`,
  },
  'an answer of a provider': {
    job: 'sweep',
    table: 'saml_answers',
    insert: ({ siteId, providerId }, at) => sql`
      insert into saml_answers (site_id, id, provider_id, sealed_answer, expires_at) values (${siteId}, ${ID}, ${providerId}, '', ${at})`,
  },
  'a challenge to a passkey': {
    job: 'sweep',
    table: 'passkey_challenges',
    insert: ({ siteId, userId }, at) => sql`
      insert into passkey_challenges (site_id, id, user_id, bound_to, purpose, challenge, expires_at)
      values (${siteId}, ${ID}, ${userId}, ${ID}, 'use', '', ${at})`,
  },
  'a code for a phone': {
    job: 'sweep',
    table: 'phone_codes',
    insert: ({ siteId, userId }, at) => sql`
      insert into phone_codes (site_id, user_id, phone, code_hash, created_at, expires_at) values (${siteId}, ${userId}, '', 'x', now(), ${at})`,
  },
  'a mail that was sent': {
    job: 'sweep',
    table: 'outbox_mails',
    keptFor: 90 * DAY,
    insert: (ground, at) => insertMail(ground, sql`${at} - interval '1 minute'`, at, sql`null`),
  },
  'a mail that could not be sent': {
    job: 'sweep',
    table: 'outbox_mails',
    keptFor: 90 * DAY,
    insert: (ground, at) => insertMail(ground, at, sql`null`, sql`'refused'`),
  },
  'a text': { job: 'sweep', table: 'sms_messages', keptFor: 730 * DAY, insert: (ground, at) => insertText(ground, at, sql`null`) },
  'a text of a campaign': { job: 'sweep', table: 'sms_messages', keptFor: 730 * DAY, insert: (ground, at) => insertText(ground, at, ID) },
  'consents to mails of somebody who left': {
    job: 'sweep',
    table: 'mail_consents',
    keptFor: 1095 * DAY,
    insert: (ground, at) => insertConsent('mail_consents', ground, at),
  },
  'consents to texts of somebody who left': {
    job: 'sweep',
    table: 'sms_consents',
    keptFor: 1095 * DAY,
    insert: (ground, at) => insertConsent('sms_consents', ground, at),
  },
}
