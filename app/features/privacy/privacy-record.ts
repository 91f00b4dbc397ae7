/** Why the council may have it, by article 6 of the UK GDPR and section 64 of Quebec's Access Act. */
export type LegalBasis = 'public-task' | 'consent' | 'legal-duty'

export type RecordViewer =
  | 'person'
  | 'everybody'
  | 'project-admins'
  | 'hub-admins'
  | 'site-admins'
  | 'platform-admins'
  | 'recipients'
  | 'nobody'

/** Until when it is stored. The jobs `sweep`, `sweep-response-files` and their like see to it. */
export type Retention =
  | 'account'
  | 'sign-in'
  | 'month'
  | 'quarter'
  | 'two-years'
  | 'three-years'
  | 'consultation'
  | 'draft'
  | 'site-choice'
  | 'question'
  | 'verification'
  | 'eligibility'
  | 'day'
  | 'site'

/** What happens to the data when the person is erased. `unlinkable`: a hash stays, which needs the server's secret key to match it to a person. */
export type ErasureEffect = 'deleted' | 'separated' | 'withdrawn' | 'unlinkable' | 'kept' | 'names-nobody'

export interface RecordEntry {
  id: string
  /** `table.column`; `*.column` is in every table that has it. */
  fields: readonly string[]
  basis: LegalBasis
  retention: Retention
  seenBy: readonly RecordViewer[]
  /** Sections of the person's download. Empty if the data cannot be looked up by person, or would identify another person. */
  download: readonly string[]
  erasure: ErasureEffect
  /** More than usual harm if it leaks: asks for a risk in the assessments. */
  sensitive?: true
}

const listColumns = (table: string, columns: string): string[] => columns.split(' ').map((column) => `${table}.${column}`)

/**
 * Every column that holds something about a person. `privacy-record.test.ts` compares it with the database: a new column of text, JSON or
 * bytes, or one that refers to an account, belongs here or to `tests/support/not-personal.ts`. Its words are in `privacy.json`.
 */
export const PRIVACY_RECORD = [
  {
    id: 'account',
    fields: listColumns('users', 'email login password_hash locale blocked_reason search_text'),
    basis: 'public-task',
    retention: 'account',
    seenBy: ['person', 'hub-admins', 'site-admins'],
    download: ['account'],
    erasure: 'deleted',
  },
  {
    id: 'sign-in',
    fields: [
      ...listColumns('sessions', 'user_id token_hash user_agent address provider_session'),
      ...listColumns('authenticator_apps', 'user_id sealed_key'),
      ...listColumns('passkeys', 'user_id name credential_id public_key'),
      ...listColumns('passkey_challenges', 'user_id challenge'),
      ...listColumns('recovery_codes', 'user_id code_hash'),
      ...listColumns('pending_sign_ins', 'user_id token_hash'),
      ...listColumns('one_time_links', 'user_id token_hash email'),
      ...listColumns('api_tokens', 'user_id name token_hash'),
      ...listColumns('calendar_links', 'user_id secret_hash'),
    ],
    basis: 'public-task',
    retention: 'sign-in',
    seenBy: ['person'],
    download: ['sessions', 'secondStep', 'apiTokens', 'calendar-links', 'links'],
    erasure: 'deleted',
  },
  {
    id: 'provider',
    fields: [
      ...listColumns('identities', 'subject user_id email'),
      ...listColumns('identity_requests', 'subject email name'),
      ...listColumns('identity_provider_tests', 'user_id claims groups'),
      'saml_answers.sealed_answer',
      'used_sign_in_keys.key',
    ],
    basis: 'public-task',
    retention: 'month',
    seenBy: ['person', 'site-admins'],
    download: ['identities', 'identityProviderTests', 'identityRequests'],
    erasure: 'deleted',
  },
  {
    id: 'verifications',
    fields: listColumns('verifications', 'user_id browser_hash subject_hash'),
    basis: 'public-task',
    retention: 'verification',
    seenBy: ['person', 'site-admins'],
    download: ['verifications'],
    erasure: 'deleted',
  },
  {
    id: 'eligibility',
    fields: ['eligibility_entries.hash', 'verification_codes.hash', ...listColumns('verification_texts', 'phone_hash code_hash')],
    basis: 'public-task',
    retention: 'eligibility',
    seenBy: ['nobody'],
    download: [],
    erasure: 'unlinkable',
  },
  {
    id: 'roles',
    fields: ['memberships.user_id', 'project_members.user_id', 'people_group_members.user_id'],
    basis: 'public-task',
    retention: 'account',
    seenBy: ['person', 'hub-admins', 'site-admins'],
    download: ['roles', 'memberships', 'groups'],
    erasure: 'deleted',
  },
  {
    id: 'follows',
    fields: [
      'project_follows.user_id',
      'email_follows.email',
      'contribution_follows.user_id',
      'follow_digest_items.user_id',
      'contribution_digest_items.user_id',
    ],
    basis: 'consent',
    retention: 'account',
    seenBy: ['person'],
    download: ['follows', 'emailFollows', 'contributionFollows'],
    erasure: 'deleted',
  },
  {
    id: 'responses',
    fields: [
      ...listColumns('responses', 'user_id answers receipt_hash edit_receipt'),
      ...listColumns('response_files', 'held_by key_hash name giver_hash'),
      'open_answers.text_hash',
      'theme_evidence.quote',
      'theme_suggestions.label',
      'open_result_versions.texts',
      'project_people.user_id',
      'response_changes.user_id',
    ],
    basis: 'public-task',
    retention: 'consultation',
    seenBy: ['person', 'project-admins', 'hub-admins', 'site-admins'],
    download: ['responses'],
    erasure: 'separated',
    sensitive: true,
  },
  {
    id: 'drafts',
    fields: listColumns('response_drafts', 'user_id answers resume_hash receipt_sealed'),
    basis: 'public-task',
    retention: 'draft',
    seenBy: ['person'],
    download: ['drafts'],
    erasure: 'deleted',
    sensitive: true,
  },
  {
    id: 'once',
    fields: ['survey_participations.person_hash', ...listColumns('invitations', 'secret_hash recipient_hash')],
    basis: 'public-task',
    retention: 'consultation',
    seenBy: ['nobody'],
    download: [],
    erasure: 'unlinkable',
  },
  {
    id: 'contributions',
    fields: [
      ...listColumns('contributions', 'author_id shown_name title body place_text geometry fields receipt_hash search_title search_text'),
      ...listColumns('contribution_versions', 'title body fields'),
      ...listColumns('contribution_photos', 'held_by key_hash alt giver_hash browser_hash'),
      ...listColumns('replies', 'author_id shown_name body receipt_hash'),
      'text_translations.texts',
      ...listColumns('contribution_leaves', 'salt leaf'),
      ...listColumns('activity_ledger_entries', 'leaf hash'),
      ...listColumns('activity_ledger_waiting', 'leaf'),
    ],
    basis: 'public-task',
    retention: 'consultation',
    seenBy: ['everybody'],
    download: ['contributions', 'contributionPhotos', 'replies', 'translations'],
    erasure: 'withdrawn',
    sensitive: true,
  },
  {
    id: 'reactions',
    fields: listColumns('reactions', 'person_hash tell_user_id'),
    basis: 'public-task',
    retention: 'consultation',
    seenBy: ['person'],
    download: ['reactions'],
    erasure: 'deleted',
  },
  {
    id: 'budget-votes',
    fields: [
      ...listColumns('budget_ballots', 'ballot_key options points receipt_hash leaf'),
      ...listColumns('budget_voters', 'person_hash'),
      ...listColumns('budget_secrets', 'secret'),
      ...listColumns('budget_paper_sheets', 'code_hash'),
      ...listColumns('budget_paper_typings', 'options points spoilt_reason'),
      ...listColumns('ledger_entries', 'leaf hash'),
      ...listColumns('ledger_waiting', 'leaf'),
    ],
    basis: 'public-task',
    retention: 'consultation',
    seenBy: ['person'],
    download: ['budgetVotes'],
    erasure: 'unlinkable',
    sensitive: true,
  },
  {
    id: 'event-sign-ups',
    fields: listColumns('event_sign_ups', 'user_id name email answers receipt_hash sealed_receipt'),
    basis: 'public-task',
    retention: 'consultation',
    seenBy: ['person', 'project-admins', 'hub-admins', 'site-admins'],
    download: ['eventSignUps'],
    erasure: 'deleted',
  },
  {
    id: 'moderation',
    fields: [
      ...listColumns('moderation_reports', 'person_hash reporter_id words'),
      ...listColumns('moderation_appeals', 'appellant_id words answer'),
      ...listColumns('masked_originals', 'texts passages versions'),
      ...listColumns('contribution_links', 'objection objection_answer'),
      ...listColumns('official_responses', 'text former withdrawal_reason'),
      'official_response_drafts.text',
      'official_answer_sets.text',
      'contribution_notes.body',
      'contributions.reason',
      'replies.reason',
      'moderation_decisions.words',
      'moderation_decisions.before',
    ],
    basis: 'public-task',
    retention: 'site-choice',
    seenBy: ['person', 'project-admins', 'hub-admins', 'site-admins'],
    download: ['reports', 'appeals', 'removedPassages', 'objections', 'privateAnswers', 'contributionNotes'],
    erasure: 'withdrawn',
    sensitive: true,
  },
  {
    id: 'emails',
    fields: [
      ...listColumns('outbox_mails', 'recipient subject body_text body_html secret_bodies last_error user_id leave_url recipient_name'),
      ...listColumns('mail_addresses', 'address reason'),
    ],
    basis: 'public-task',
    retention: 'quarter',
    seenBy: ['person', 'site-admins', 'recipients'],
    download: ['mails'],
    erasure: 'deleted',
  },
  {
    id: 'texts',
    fields: [
      ...listColumns('sms_messages', 'phone user_id body provider_id'),
      ...listColumns('text_conversations', 'phone_hash answers sealed_phone'),
      ...listColumns('user_phones', 'user_id phone'),
      ...listColumns('phone_codes', 'user_id phone code_hash'),
    ],
    basis: 'consent',
    retention: 'two-years',
    seenBy: ['person', 'site-admins', 'recipients'],
    download: ['phone', 'texts', 'text-conversations'],
    erasure: 'deleted',
  },
  {
    id: 'consents',
    fields: [...listColumns('mail_consents', 'email user_id words address'), ...listColumns('sms_consents', 'phone user_id words address')],
    basis: 'legal-duty',
    retention: 'three-years',
    seenBy: ['person', 'site-admins'],
    download: ['mail-consents', 'text-consents'],
    erasure: 'kept',
  },
  {
    id: 'area',
    fields: ['home_areas.user_id'],
    basis: 'consent',
    retention: 'account',
    seenBy: ['person'],
    download: ['area'],
    erasure: 'deleted',
  },
  {
    id: 'about-you',
    fields: [...listColumns('profile_answers', 'user_id answer'), ...listColumns('profile_answer_options', 'user_id option')],
    basis: 'consent',
    retention: 'question',
    seenBy: ['person', 'hub-admins', 'site-admins'],
    download: ['profile-answers'],
    erasure: 'deleted',
    sensitive: true,
  },
  {
    id: 'notes',
    fields: listColumns('person_notes', 'user_id body'),
    basis: 'public-task',
    retention: 'account',
    seenBy: ['person', 'hub-admins', 'site-admins'],
    download: ['personNotes'],
    erasure: 'deleted',
    sensitive: true,
  },
  {
    id: 'work',
    fields: [
      ...listColumns('saved_views', 'user_id name query'),
      ...listColumns('report_views', 'user_id name query recipients'),
      'read_notifications.user_id',
      ...listColumns('editor_presences', 'editor_id user_id'),
      'support_grants.granted_by',
      'contributions.assignee_id',
      'text_translations.corrected_by',
      'theme_readings.read_by',
      'coding_samples.coder_id',
      'budget_paper_batches.accepted_by',
      'budget_paper_typings.typed_by',
      ...listColumns('coding_sample_codes', 'coder_id settled_by'),
      'contribution_notes.author_id',
      'person_notes.author_id',
      ...listColumns('team_comments', 'author_id resolved_by body'),
      'team_comment_versions.body',
      'team_mentions.user_id',
      ...listColumns('team_tasks', 'title owner_id assigned_by done_by'),
      'team_mails.user_id',
      ...listColumns('official_response_drafts', 'written_by asked_by returned_by return_reason'),
      ...listColumns('official_answer_sets', 'written_by asked_by returned_by agreed_by return_reason'),
      'moderation_cases.assignee_id',
      'identity_providers.maker_id',
      'identity_provider_changes.asked_by',
      '*.created_by',
      '*.decided_by',
      '*.counted_by',
      '*.certified_by',
      '*.published_by',
      '*.ended_by',
      '*.review_requested_by',
    ],
    basis: 'public-task',
    retention: 'site',
    seenBy: ['person', 'hub-admins', 'site-admins'],
    download: ['saved-views', 'report-views', 'reportMails', 'read-notifications', 'assignedQuestions', 'assignedCases', 'teamwork'],
    erasure: 'names-nobody',
  },
  {
    id: 'audit',
    fields: listColumns('audit_events', 'actor_id address detail'),
    basis: 'legal-duty',
    retention: 'site',
    seenBy: ['project-admins', 'hub-admins', 'site-admins', 'platform-admins'],
    download: ['trail'],
    erasure: 'names-nobody',
  },
  {
    id: 'visits',
    fields: ['reach_visits.visitor', 'reach_salts.salt', 'rate_limits.key', 'crowds.address_hash'],
    basis: 'public-task',
    retention: 'day',
    seenBy: ['nobody'],
    download: [],
    erasure: 'unlinkable',
  },
  {
    id: 'staff',
    fields: ['projects.team', 'hubs.contact_email', 'sites.contact_email', 'site_deletions.asked_by', 'site_deletions.asked_by_name'],
    basis: 'public-task',
    retention: 'site',
    seenBy: ['everybody'],
    download: [],
    erasure: 'kept',
  },
] as const satisfies readonly RecordEntry[]
