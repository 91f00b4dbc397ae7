import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  customType,
  date,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Language } from '../../lib/languages.ts'
import type { Translated } from '../../lib/translated.ts'

/** Tables as the queries see them. The migrations create them; `schema.test.ts` checks that both agree. */

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const bits = customType<{ data: string }>({ dataType: () => 'bit(8192)' })
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })
const translated = (name: string) => jsonb(name).$type<Translated>()

export const sites = pgTable('sites', {
  id: uuid('id').primaryKey(),
  slug: text('slug').notNull(),
  name: text('name').notNull(),
  status: text('status').notNull().default('active'),
  region: text('region').notNull(),
  locale: text('locale').$type<Language>().notNull(),
  languages: text('languages').array().$type<Language[]>().notNull(),
  timeZone: text('time_zone').notNull(),
  tagline: translated('tagline').notNull().default({}),
  contactEmail: text('contact_email'),
  theme: jsonb('theme').$type<unknown>().notNull().default({}),
  consentRequired: boolean('consent_required').notNull().default(false),
  contentVersion: bigint('content_version', { mode: 'number' }).notNull().default(1),
  createdAt: instant('created_at').notNull().defaultNow(),
})

export const siteDomains = pgTable('site_domains', {
  host: text('host').primaryKey(),
  siteId: uuid('site_id').notNull(),
  isPrimary: boolean('is_primary').notNull().default(false),
  id: uuid('id').notNull().unique().defaultRandom(),
})

export const siteDeletions = pgTable('site_deletions', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  host: text('host'),
  was: text('was').$type<'active' | 'suspended'>().notNull(),
  reason: text('reason').notNull(),
  askedBy: uuid('asked_by').notNull(),
  askedByName: text('asked_by_name').notNull(),
  askedAt: instant('asked_at').notNull(),
  dueAt: instant('due_at').notNull(),
  state: text('state').$type<'waiting' | 'erasing' | 'erased'>().notNull().default('waiting'),
  erasedAt: instant('erased_at'),
  erased: jsonb('erased').$type<Record<string, number>>().notNull().default({}),
  exportState: text('export_state').$type<'waiting' | 'running' | 'done' | 'failed' | 'expired'>().notNull().default('waiting'),
  exportAttempt: uuid('export_attempt'),
  exportAliveAt: instant('export_alive_at'),
  exportMadeAt: instant('export_made_at'),
  exportPieces: integer('export_pieces'),
  exportBytes: bigint('export_bytes', { mode: 'number' }),
  exportSha256: text('export_sha256'),
  exportRows: bigint('export_rows', { mode: 'number' }),
  exportFiles: integer('export_files'),
  exportExpiresAt: instant('export_expires_at'),
})

export const siteFigures = pgTable('site_figures', {
  siteId: uuid('site_id').primaryKey(),
  countedAt: instant('counted_at').notNull(),
  openProjects: integer('open_projects').notNull(),
  participants: integer('participants').notNull(),
  responses: integer('responses').notNull(),
  aware: integer('aware').notNull(),
  informed: integer('informed').notNull(),
  engaged: integer('engaged').notNull(),
  connections: integer('connections').notNull(),
  failing: jsonb('failing').$type<{ kind: 'integration' | 'city-connector'; name: string; since: string | null }[]>().notNull(),
})

export const jobTurns = pgTable('job_turns', {
  name: text('name').primaryKey(),
  everySeconds: integer('every_seconds').notNull(),
  doneAt: instant('done_at'),
  tookMs: integer('took_ms'),
  failedAt: instant('failed_at'),
  failures: integer('failures').notNull().default(0),
})

export const features = pgTable('features', {
  name: text('name').primaryKey(),
  kind: text('kind').notNull().default('feature'),
  enabled: boolean('enabled').notNull().default(false),
})

export const siteFeatures = pgTable(
  'site_features',
  {
    siteId: uuid('site_id').notNull(),
    name: text('name').notNull(),
    enabled: boolean('enabled').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.name] })],
)

export const users = pgTable(
  'users',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    email: text('email').notNull(),
    login: text('login').notNull(),
    type: text('type').notNull().default('participant'),
    passwordHash: text('password_hash'),
    locale: text('locale').$type<Language>().notNull().default('en'),
    emailConfirmedAt: instant('email_confirmed_at'),
    blockedAt: instant('blocked_at'),
    blockedReason: text('blocked_reason'),
    lastSeenAt: instant('last_seen_at'),
    marketingConsentAt: instant('marketing_consent_at'),
    followMails: text('follow_mails').$type<'at-once' | 'daily' | 'weekly' | 'never'>().notNull().default('at-once'),
    createdAt: instant('created_at').notNull().defaultNow(),
    searchText: text('search_text')
      .notNull()
      .generatedAlwaysAs(sql`''`),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const sessions = pgTable(
  'sessions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    tokenHash: bytea('token_hash').notNull(),
    userAgent: text('user_agent'),
    address: text('address'),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const oneTimeLinks = pgTable(
  'one_time_links',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id'),
    purpose: text('purpose').notNull(),
    tokenHash: bytea('token_hash').notNull(),
    email: text('email'),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const rateLimits = pgTable(
  'rate_limits',
  {
    siteId: uuid('site_id').notNull(),
    key: text('key').notNull(),
    windowStart: instant('window_start').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.key, t.windowStart] })],
)

export const hubs = pgTable(
  'hubs',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    slug: text('slug').notNull(),
    title: translated('title').notNull(),
    summary: translated('summary').notNull().default({}),
    body: translated('body').notNull().default({}),
    picture: text('picture'),
    pictureAlt: translated('picture_alt').notNull().default({}),
    contactEmail: text('contact_email'),
    position: integer('position').notNull().default(0),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const topics = pgTable(
  'topics',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    slug: text('slug').notNull(),
    title: translated('title').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const projects = pgTable(
  'projects',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    hubId: uuid('hub_id'),
    topicId: uuid('topic_id'),
    slug: text('slug').notNull(),
    title: translated('title').notNull(),
    summary: translated('summary').notNull().default({}),
    body: translated('body').notNull().default({}),
    status: text('status').notNull().default('draft'),
    visibility: text('visibility').notNull().default('public'),
    opensAt: instant('opens_at'),
    closesAt: instant('closes_at'),
    publishAt: instant('publish_at'),
    publishedAt: instant('published_at'),
    archivedAt: instant('archived_at'),
    picture: text('picture'),
    pictureAlt: translated('picture_alt').notNull().default({}),
    place: jsonb('place').$type<unknown>(),
    team: jsonb('team').$type<unknown>().notNull().default([]),
    faqs: jsonb('faqs').$type<unknown>().notNull().default([]),
    outcome: translated('outcome').notNull().default({}),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    participants: integer('participants').notNull().default(0),
    featured: boolean('featured').notNull().default(false),
    lockVersion: integer('lock_version').notNull().default(1),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const projectDates = pgTable(
  'project_dates',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    title: translated('title').notNull(),
    detail: translated('detail').notNull().default({}),
    happensAt: instant('happens_at').notNull(),
    precision: text('precision').notNull().default('day'),
    position: integer('position').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const projectDocuments = pgTable(
  'project_documents',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    title: translated('title').notNull(),
    file: text('file').notNull(),
    mediaType: text('media_type').notNull(),
    bytes: integer('bytes').notNull(),
    language: text('language').$type<Language>(),
    position: integer('position').notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
    content: uuid('content'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const projectUpdates = pgTable(
  'project_updates',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    slug: text('slug').notNull(),
    title: translated('title').notNull(),
    body: translated('body').notNull(),
    publishedAt: instant('published_at'),
    /** When the project's followers were mailed. */
    notifiedAt: instant('notified_at'),
    createdBy: uuid('created_by'),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const followDigestItems = pgTable(
  'follow_digest_items',
  {
    siteId: uuid('site_id').notNull(),
    userId: uuid('user_id').notNull(),
    updateId: uuid('update_id').notNull(),
    dueAt: instant('due_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId, t.updateId] })],
)

export const projectFollows = pgTable(
  'project_follows',
  {
    siteId: uuid('site_id').notNull(),
    projectId: uuid('project_id').notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.projectId, t.userId] })],
)

export const projectMembers = pgTable(
  'project_members',
  {
    siteId: uuid('site_id').notNull(),
    projectId: uuid('project_id').notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    id: uuid('id').notNull().defaultRandom(),
    openedAt: instant('opened_at').defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.projectId, t.userId] })],
)

export const memberships = pgTable(
  'memberships',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    role: text('role').notNull(),
    hubId: uuid('hub_id'),
    projectId: uuid('project_id'),
    mayExportPersonalData: boolean('may_export_personal_data').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const supportGrants = pgTable(
  'support_grants',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    grantedBy: uuid('granted_by').notNull(),
    reason: text('reason').notNull().default(''),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const surveys = pgTable(
  'surveys',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    slug: text('slug').notNull(),
    title: translated('title').notNull(),
    intro: translated('intro').notNull().default({}),
    thanks: translated('thanks').notNull().default({}),
    status: text('status').notNull().default('draft'),
    access: text('access').notNull().default('anyone'),
    groupId: uuid('group_id'),
    hasOpened: boolean('has_opened').notNull().default(false),
    anonymous: boolean('anonymous').notNull().default(false),
    variant: text('variant').notNull().default('site'),
    changeable: boolean('changeable').notNull().default(true),
    resultsPublic: boolean('results_public').notNull().default(false),
    opensAt: instant('opens_at'),
    closesAt: instant('closes_at'),
    minutes: integer('minutes'),
    definition: jsonb('definition').$type<unknown>().notNull(),
    publishedVersion: integer('published_version'),
    lockVersion: integer('lock_version').notNull().default(1),
    responsesCount: integer('responses_count').notNull().default(0),
    responsesNumbered: integer('responses_numbered').notNull().default(0),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    position: integer('position').notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const surveyVersions = pgTable(
  'survey_versions',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    number: integer('number').notNull(),
    definition: jsonb('definition').$type<unknown>().notNull(),
    publishedBy: uuid('published_by'),
    publishedAt: instant('published_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.surveyId, t.number] })],
)

export const responses = pgTable(
  'responses',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    version: integer('version').notNull(),
    userId: uuid('user_id'),
    language: text('language').$type<Language>().notNull(),
    source: text('source').notNull().default('web'),
    answers: jsonb('answers').$type<unknown>().notNull(),
    receiptHash: bytea('receipt_hash').notNull(),
    submittedAt: instant('submitted_at').notNull().defaultNow(),
    editedAt: instant('edited_at'),
    withdrawnAt: instant('withdrawn_at'),
    seconds: integer('seconds'),
    number: integer('number'),
    doubt: text('doubt').$type<'rate' | 'haste'>(),
    editId: uuid('edit_id'),
    editReceipt: text('edit_receipt'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const surveyCounts = pgTable(
  'survey_counts',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    question: text('question').notNull(),
    value: text('value').notNull(),
    count: integer('count').notNull().default(0),
    total: doublePrecision('total').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.surveyId, t.question, t.value] })],
)

export const surveyPublications = pgTable(
  'survey_publications',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    part: text('part').notNull().default(''),
    countedAt: instant('counted_at').notNull(),
    firstNumber: integer('first_number').notNull(),
    closed: boolean('closed').notNull(),
    exact: jsonb('exact').$type<unknown>().notNull(),
    counts: jsonb('counts').$type<unknown>().notNull(),
    shown: jsonb('shown').$type<unknown>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.surveyId, t.part] })],
)

export const surveyBlocks = pgTable(
  'survey_blocks',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    block: integer('block').notNull(),
    complete: boolean('complete').notNull().default(false),
    firstAt: instant('first_at'),
    lastAt: instant('last_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.surveyId, t.block] })],
)

export const surveyBlockBits = pgTable(
  'survey_block_bits',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    block: integer('block').notNull(),
    question: text('question').notNull(),
    value: text('value').notNull(),
    digit: smallint('digit').notNull(),
    weight: doublePrecision('weight').notNull(),
    bits: bits('bits').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.surveyId, t.block, t.question, t.value, t.digit] })],
)

export const surveyParticipations = pgTable(
  'survey_participations',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    personHash: bytea('person_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.surveyId, t.personHash] })],
)

export const surveyInvitationBatches = pgTable(
  'survey_invitation_batches',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    kind: text('kind').$type<'codes' | 'links'>().notNull(),
    total: integer('total').notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const surveyInvitations = pgTable(
  'survey_invitations',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    secretHash: bytea('secret_hash').notNull(),
    batchId: uuid('batch_id').notNull(),
    recipientHash: bytea('recipient_hash'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.surveyId, t.secretHash] })],
)

export const surveyExports = pgTable(
  'survey_exports',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    createdBy: uuid('created_by'),
    format: text('format').$type<'csv' | 'xlsx' | 'json' | 'spss'>().notNull(),
    personal: boolean('personal').notNull().default(false),
    language: text('language').$type<Language>().notNull(),
    state: text('state').$type<'waiting' | 'running' | 'done' | 'failed' | 'cancelled'>().notNull().default('waiting'),
    total: integer('total').notNull(),
    done: integer('done').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }),
    createdAt: instant('created_at').notNull(),
    aliveAt: instant('alive_at'),
    finishedAt: instant('finished_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const surveyQuotas = pgTable(
  'survey_quotas',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    quotaId: text('quota_id').notNull(),
    taken: integer('taken').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.surveyId, t.quotaId] })],
)

export const answerTags = pgTable(
  'answer_tags',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    question: text('question').notNull(),
    tag: text('tag').notNull(),
    responseId: uuid('response_id').notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.surveyId, t.question, t.tag, t.responseId] })],
)

export const bankQuestions = pgTable(
  'bank_questions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    surveyId: uuid('survey_id'),
    question: jsonb('question').$type<unknown>().notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const responseDrafts = pgTable(
  'response_drafts',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    version: integer('version').notNull(),
    userId: uuid('user_id'),
    language: text('language').$type<Language>().notNull(),
    answers: jsonb('answers').$type<unknown>().notNull(),
    resumeHash: bytea('resume_hash'),
    replaces: uuid('replaces'),
    receiptSealed: text('receipt_sealed'),
    startedAt: instant('started_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const pages = pgTable(
  'pages',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    slug: text('slug').notNull(),
    kind: text('kind').notNull().default('page'),
    title: translated('title').notNull(),
    body: translated('body').notNull(),
    publishedAt: instant('published_at'),
    position: integer('position').notNull().default(0),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    lockVersion: integer('lock_version').notNull().default(1),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const homepageRevisions = pgTable(
  'homepage_revisions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    hubId: uuid('hub_id'),
    parentId: uuid('parent_id'),
    content: jsonb('content').$type<unknown>().notNull(),
    note: text('note').notNull().default(''),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
    publishedAt: instant('published_at'),
    publishedBy: uuid('published_by'),
    announcedAt: instant('announced_at'),
    waived: jsonb('waived').$type<string[]>().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const appearanceRevisions = pgTable(
  'appearance_revisions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    hubId: uuid('hub_id'),
    parentId: uuid('parent_id'),
    content: jsonb('tokens').$type<unknown>().notNull(),
    note: text('note').notNull().default(''),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
    publishedAt: instant('published_at'),
    publishedBy: uuid('published_by'),
    announcedAt: instant('announced_at'),
    waived: jsonb('waived').$type<string[]>().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const revisionHeads = pgTable(
  'revision_heads',
  {
    siteId: uuid('site_id').notNull(),
    subject: text('subject').notNull(),
    scopeId: uuid('scope_id').notNull(),
    draftId: uuid('draft_id'),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.subject, t.scopeId] })],
)

export const draftLinks = pgTable(
  'draft_links',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    subject: text('subject').$type<'homepage' | 'appearance' | 'project'>().notNull(),
    hubId: uuid('hub_id'),
    projectId: uuid('project_id'),
    note: text('note').notNull().default(''),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const mediaAssets = pgTable(
  'media_assets',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    version: integer('version').notNull().default(1),
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    focalX: smallint('focal_x').notNull().default(50),
    focalY: smallint('focal_y').notNull().default(50),
    alt: translated('alt').notNull().default({}),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const mediaUploads = pgTable(
  'media_uploads',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    received: bigint('received', { mode: 'number' }).notNull().default(0),
    createdBy: uuid('created_by').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const responseFiles = pgTable(
  'response_files',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    question: text('question').notNull(),
    heldBy: uuid('held_by').notNull(),
    keyHash: bytea('key_hash').notNull(),
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    touchedAt: instant('touched_at').notNull(),
    sentAt: instant('sent_at'),
    giverHash: bytea('giver_hash'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const savedSections = pgTable(
  'saved_sections',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    hubId: uuid('hub_id'),
    name: text('name').notNull(),
    content: jsonb('content').$type<unknown>().notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const savedViews = pgTable(
  'saved_views',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    table: text('table_name').$type<'projects' | 'people' | 'responses'>().notNull(),
    surveyId: uuid('survey_id'),
    name: text('name').notNull(),
    query: text('query').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const readNotifications = pgTable(
  'read_notifications',
  {
    siteId: uuid('site_id').notNull(),
    userId: uuid('user_id').notNull(),
    notificationId: uuid('notification_id').notNull(),
    readAt: instant('read_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId, t.notificationId] })],
)

export const editorPresences = pgTable(
  'editor_presences',
  {
    siteId: uuid('site_id').notNull(),
    subject: text('subject').$type<'homepage' | 'appearance'>().notNull(),
    scopeId: uuid('scope_id').notNull(),
    editorId: uuid('editor_id').notNull(),
    userId: uuid('user_id').notNull(),
    seenAt: instant('seen_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.subject, t.scopeId, t.editorId] })],
)

export const embedDomains = pgTable(
  'embed_domains',
  {
    siteId: uuid('site_id').notNull(),
    host: text('host').notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
    showsHere: boolean('shows_here').notNull().default(true),
    mayFrame: boolean('may_frame').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.host] })],
)

export const reachSalts = pgTable(
  'reach_salts',
  {
    siteId: uuid('site_id').notNull(),
    day: date('day').notNull(),
    id: uuid('id').notNull(),
    salt: bytea('salt').notNull(),
    changed: boolean('changed').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.day] })],
)

export const reachVisits = pgTable(
  'reach_visits',
  {
    siteId: uuid('site_id').notNull(),
    day: date('day').notNull(),
    visitor: bytea('visitor').notNull(),
    kind: text('kind').notNull(),
    placeId: uuid('place_id').notNull(),
    informed: boolean('informed').notNull(),
    language: text('language').$type<Language>().notNull(),
    source: text('source'),
    campaign: text('campaign'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.day, t.visitor, t.kind, t.placeId] })],
)

export const reachDays = pgTable(
  'reach_days',
  {
    siteId: uuid('site_id').notNull(),
    kind: text('kind').notNull(),
    placeId: uuid('place_id').notNull(),
    day: date('day').notNull(),
    saltId: uuid('salt_id').notNull(),
    language: text('language').$type<Language>().notNull(),
    source: text('source').notNull(),
    campaign: text('campaign').notNull(),
    aware: integer('aware').notNull(),
    informed: integer('informed').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.kind, t.placeId, t.day, t.saltId, t.language, t.source, t.campaign] })],
)

export const cityConnectors = pgTable(
  'city_connectors',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    portalUrl: text('portal_url').notNull(),
    kind: text('kind').notNull(),
    language: text('language').$type<Language>().notNull().default('en'),
    sealedToken: text('sealed_token'),
    everyMinutes: integer('every_minutes').notNull().default(1440),
    failures: integer('failures').notNull().default(0),
    pausedUntil: instant('paused_until'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const cityDatasets = pgTable(
  'city_datasets',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    connectorId: uuid('connector_id').notNull(),
    projectId: uuid('project_id'),
    slug: text('slug').notNull(),
    sourceId: text('source_id').notNull(),
    title: translated('title').notNull(),
    description: translated('description').notNull().default({}),
    publisher: text('publisher').notNull().default(''),
    licence: text('licence').notNull().default(''),
    licenceUrl: text('licence_url'),
    sourceUrl: text('source_url'),
    sourceUpdatedAt: instant('source_updated_at'),
    columns: jsonb('columns').$type<unknown>().notNull().default([]),
    rowFilter: jsonb('row_filter').$type<unknown>(),
    chart: jsonb('chart').$type<unknown>(),
    boundaries: jsonb('boundaries').$type<unknown>(),
    drawn: jsonb('drawn').$type<unknown>(),
    publishedAt: instant('published_at'),
    version: integer('version').notNull().default(0),
    copiedColumns: jsonb('copied_columns').$type<unknown>().notNull().default([]),
    rowCount: integer('row_count').notNull().default(0),
    synchronisedAt: instant('synchronised_at'),
    checkedAt: instant('checked_at'),
    validators: jsonb('validators').$type<unknown>(),
    run: jsonb('run').$type<unknown>(),
    leaseUntil: instant('lease_until'),
    dueAt: instant('due_at').defaultNow(),
    failures: integer('failures').notNull().default(0),
    lastFault: jsonb('last_fault').$type<unknown>(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const cityDatasetRows = pgTable(
  'city_dataset_rows',
  {
    siteId: uuid('site_id').notNull(),
    datasetId: uuid('dataset_id').notNull(),
    version: integer('version').notNull(),
    position: integer('position').notNull(),
    cells: jsonb('cells').$type<unknown>().notNull(),
    words: text('words').notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.datasetId, t.version, t.position] })],
)

export const cityDatasetOrders = pgTable(
  'city_dataset_orders',
  {
    siteId: uuid('site_id').notNull(),
    datasetId: uuid('dataset_id').notNull(),
    version: integer('version').notNull(),
    key: text('key').notNull(),
    part: integer('part').notNull(),
    positions: integer('positions').array().notNull(),
    filled: integer('filled').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.datasetId, t.version, t.key, t.part] })],
)

export const cityDatasetWords = pgTable(
  'city_dataset_words',
  {
    siteId: uuid('site_id').notNull(),
    datasetId: uuid('dataset_id').notNull(),
    version: integer('version').notNull(),
    part: integer('part').notNull(),
    firstWord: text('first_word').notNull(),
    lastWord: text('last_word').notNull(),
    words: text('words').array().notNull(),
    positions: integer('positions').array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.datasetId, t.version, t.part] })],
)

export const cityDatasetCommonWords = pgTable(
  'city_dataset_common_words',
  {
    siteId: uuid('site_id').notNull(),
    datasetId: uuid('dataset_id').notNull(),
    version: integer('version').notNull(),
    beginning: text('beginning').notNull(),
    longest: text('longest').notNull(),
    rowBits: bytea('row_bits').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.datasetId, t.version, t.beginning] })],
)

export const openAnswers = pgTable(
  'open_answers',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    responseId: uuid('response_id').notNull(),
    question: text('question').notNull(),
    textHash: bytea('text_hash').notNull(),
    approvedAt: instant('approved_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.responseId, t.question] })],
)

export const openResultVersions = pgTable(
  'open_result_versions',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    version: text('version').notNull(),
    questionsVersion: integer('questions_version').notNull(),
    countedAt: instant('counted_at').notNull(),
    madeAt: instant('made_at').notNull(),
    responses: integer('responses').notNull(),
    lines: jsonb('lines').$type<unknown>().notNull(),
    texts: jsonb('texts').$type<unknown>().notNull(),
    areas: jsonb('areas').$type<unknown>().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.surveyId, t.version] })],
)

export const areas = pgTable(
  'areas',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    datasetId: uuid('dataset_id').notNull(),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    rings: jsonb('rings').$type<unknown>().notNull(),
    postcodes: text('postcodes').array().notNull().default([]),
    goneAt: instant('gone_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const projectAreas = pgTable(
  'project_areas',
  {
    siteId: uuid('site_id').notNull(),
    projectId: uuid('project_id').notNull(),
    areaId: uuid('area_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.projectId, t.areaId] })],
)

export const homeAreas = pgTable(
  'home_areas',
  {
    siteId: uuid('site_id').notNull(),
    userId: uuid('user_id').notNull(),
    areaId: uuid('area_id').notNull(),
    consentedAt: instant('consented_at').notNull(),
    /** When the person agreed to be chosen for news and texts by it. */
    newsConsentedAt: instant('news_consented_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId] })],
)

export const installations = pgTable(
  'installations',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    integration: text('integration').notNull(),
    settings: jsonb('settings').$type<Record<string, string | number | boolean>>().notNull().default({}),
    sealedSecrets: text('sealed_secrets'),
    enabledAt: instant('enabled_at'),
    health: text('health').$type<'untested' | 'working' | 'failing' | 'down'>().notNull().default('untested'),
    failures: integer('failures').notNull().default(0),
    pausedUntil: instant('paused_until'),
    lastUsedAt: instant('last_used_at'),
    lastFault: jsonb('last_fault').$type<unknown>(),
    failingSince: instant('failing_since'),
    pacedUntil: instant('paced_until'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const installationCalls = pgTable(
  'installation_calls',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    installationId: uuid('installation_id').notNull(),
    at: instant('at').notNull(),
    operation: text('operation').notNull(),
    target: text('target').notNull(),
    outcome: text('outcome').notNull(),
    status: integer('status'),
    milliseconds: integer('milliseconds').notNull(),
    note: text('note').notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    installationId: uuid('installation_id').notNull(),
    event: text('event').notNull(),
    subjectId: uuid('subject_id').notNull(),
    body: text('body').notNull(),
    status: text('status').$type<'waiting' | 'delivered' | 'failed'>().notNull().default('waiting'),
    occurredAt: instant('occurred_at').notNull(),
    triedSince: instant('tried_since').notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    answered: integer('answered'),
    fault: text('fault'),
    deliveredAt: instant('delivered_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const webhookWatches = pgTable(
  'webhook_watches',
  {
    siteId: uuid('site_id').notNull(),
    installationId: uuid('installation_id').notNull(),
    enabledAt: instant('enabled_at').notNull(),
    openSurveys: uuid('open_surveys').array().notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.installationId] })],
)

export const smsMessages = pgTable(
  'sms_messages',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    direction: text('direction').$type<'out' | 'in'>().notNull(),
    purpose: text('purpose').notNull(),
    status: text('status').notNull(),
    phone: text('phone').notNull(),
    userId: uuid('user_id'),
    language: text('language').$type<Language>().notNull(),
    body: text('body').notNull(),
    segments: integer('segments').notNull().default(1),
    integration: text('integration'),
    providerId: text('provider_id'),
    fault: text('fault'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    createdAt: instant('created_at').notNull(),
    triedAt: instant('tried_at'),
    sentAt: instant('sent_at'),
    settledAt: instant('settled_at'),
    campaignId: uuid('campaign_id'),
    unnamed: boolean('unnamed').notNull().default(false),
    takenUp: boolean('taken_up').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const campaigns = pgTable(
  'campaigns',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    hubId: uuid('hub_id'),
    projectId: uuid('project_id'),
    surveyId: uuid('survey_id'),
    channel: text('channel').$type<'sms' | 'email'>().notNull().default('sms'),
    name: text('name').notNull(),
    body: translated('body').notNull().default({}),
    subject: translated('subject').notNull().default({}),
    content: jsonb('content').$type<unknown>().notNull().default({}),
    tally: jsonb('tally').$type<{ accepted: number; failed: number; skipped: number }>(),
    audience: jsonb('audience').$type<unknown>().notNull().default({}),
    status: text('status').notNull().default('draft'),
    sendAt: instant('send_at'),
    preparedUntil: uuid('prepared_until'),
    prepared: integer('prepared').notNull().default(0),
    promised: integer('promised').notNull().default(0),
    returned: integer('returned').notNull().default(0),
    overLimit: boolean('over_limit').notNull().default(false),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    finishedAt: instant('finished_at'),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const surveyKeywords = pgTable(
  'survey_keywords',
  {
    siteId: uuid('site_id').notNull(),
    keyword: text('keyword').notNull(),
    surveyId: uuid('survey_id').notNull(),
    language: text('language').$type<Language>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.keyword] })],
)

export const textConversations = pgTable(
  'text_conversations',
  {
    siteId: uuid('site_id').notNull(),
    phoneHash: bytea('phone_hash').notNull(),
    surveyId: uuid('survey_id').notNull(),
    id: uuid('id').notNull(),
    version: integer('version').notNull(),
    language: text('language').$type<Language>().notNull(),
    answers: jsonb('answers').$type<unknown>().notNull().default({}),
    question: text('question').notNull(),
    mistakes: integer('mistakes').notNull().default(0),
    sealedPhone: text('sealed_phone'),
    updatedAt: instant('updated_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.phoneHash, t.surveyId] })],
)

export const userPhones = pgTable(
  'user_phones',
  {
    siteId: uuid('site_id').notNull(),
    userId: uuid('user_id').notNull(),
    phone: text('phone').notNull(),
    confirmedAt: instant('confirmed_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId] })],
)

export const phoneCodes = pgTable(
  'phone_codes',
  {
    siteId: uuid('site_id').notNull(),
    userId: uuid('user_id').notNull(),
    phone: text('phone').notNull(),
    codeHash: bytea('code_hash').notNull(),
    tries: integer('tries').notNull().default(0),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId] })],
)

export const smsConsents = pgTable(
  'sms_consents',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    phone: text('phone').notNull(),
    userId: uuid('user_id'),
    given: boolean('given').notNull(),
    words: text('words').notNull(),
    language: text('language').$type<Language>().notNull(),
    source: text('source').notNull(),
    address: text('address'),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const outboxMails = pgTable(
  'outbox_mails',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    recipient: text('recipient').notNull(),
    language: text('language').$type<Language>().notNull(),
    subject: text('subject').notNull(),
    bodyText: text('body_text').notNull(),
    bodyHtml: text('body_html').notNull(),
    secretBodies: jsonb('secret_bodies').$type<{ text: string; html: string }>(),
    createdAt: instant('created_at').notNull().defaultNow(),
    sentAt: instant('sent_at'),
    attempts: integer('attempts').notNull().default(0),
    lastError: text('last_error'),
    kind: text('kind').notNull().default(''),
    userId: uuid('user_id'),
    leaveUrl: text('leave_url'),
    nextAttemptAt: instant('next_attempt_at').notNull().defaultNow(),
    campaignId: uuid('campaign_id'),
    recipientName: text('recipient_name'),
    handedAt: instant('handed_at'),
    fault: text('fault'),
    returnedAt: instant('returned_at'),
    returnedAs: text('returned_as').$type<'hard' | 'soft'>(),
    lease: uuid('lease'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const campaignMails = pgTable(
  'campaign_mails',
  {
    siteId: uuid('site_id').notNull(),
    campaignId: uuid('campaign_id').notNull(),
    language: text('language').$type<Language>().notNull(),
    subject: text('subject').notNull(),
    bodyText: text('body_text').notNull(),
    bodyHtml: text('body_html').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.campaignId, t.language] })],
)

export const mailConsents = pgTable(
  'mail_consents',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    email: text('email').notNull(),
    userId: uuid('user_id'),
    given: boolean('given').notNull(),
    words: text('words').notNull(),
    language: text('language').$type<Language>().notNull(),
    source: text('source').notNull(),
    address: text('address'),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const mailAddresses = pgTable(
  'mail_addresses',
  {
    siteId: uuid('site_id').notNull(),
    address: text('address').notNull(),
    softFailures: integer('soft_failures').notNull().default(0),
    bouncedAt: instant('bounced_at'),
    reason: text('reason'),
    updatedAt: instant('updated_at').notNull(),
    id: uuid('id').notNull().defaultRandom(),
    reported: boolean('reported').notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.address] })],
)

export const auditEvents = pgTable(
  'audit_events',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    at: instant('at').notNull().defaultNow(),
    actorId: uuid('actor_id'),
    actorRole: text('actor_role'),
    action: text('action').notNull(),
    subjectType: text('subject_type'),
    subjectId: uuid('subject_id'),
    hubId: uuid('hub_id'),
    projectId: uuid('project_id'),
    address: text('address'),
    detail: jsonb('detail').$type<unknown>().notNull().default({}),
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    hash: bytea('hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const auditChains = pgTable('audit_chains', {
  siteId: uuid('site_id').primaryKey(),
  beginsAfter: bigint('begins_after', { mode: 'number' }).notNull().default(0),
  sequence: bigint('sequence', { mode: 'number' }).notNull().default(0),
  hash: bytea('hash').notNull().default(Buffer.alloc(0)),
})

export const peopleGroups = pgTable(
  'people_groups',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    hubId: uuid('hub_id'),
    kind: text('kind').notNull().default('group'),
    name: text('name').notNull(),
    rule: jsonb('rule').$type<unknown>(),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const peopleGroupMembers = pgTable(
  'people_group_members',
  {
    siteId: uuid('site_id').notNull(),
    groupId: uuid('group_id').notNull(),
    userId: uuid('user_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.groupId, t.userId] })],
)

export const oldAddresses = pgTable(
  'old_addresses',
  {
    siteId: uuid('site_id').notNull(),
    kind: text('kind').notNull(),
    slug: text('slug').notNull(),
    targetId: uuid('target_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.kind, t.slug] })],
)

export const searchWords = pgTable('search_words', { siteId: uuid('site_id').notNull(), word: text('word').notNull() }, (t) => [
  primaryKey({ columns: [t.siteId, t.word] }),
])

export const searchPlaces = pgTable(
  'search_places',
  {
    siteId: uuid('site_id').notNull(),
    word: text('word').notNull(),
    subjectId: uuid('subject_id').notNull(),
    inTitle: boolean('in_title').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.word, t.subjectId] })],
)
