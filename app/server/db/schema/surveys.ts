import { sql } from 'drizzle-orm'
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import {
  type ImportFormat,
  NEW_SURVEY_ACCESS,
  type SurveyAccess,
  type SurveyStatus,
  type SurveyVariant,
} from '../../../lib/vocabulary/surveys.ts'
import type { Translated } from '../../../lib/translated.ts'
import type { VerificationRule } from '../../../lib/vocabulary/verifications.ts'
import { bytea, instant, translated } from './columns.ts'
import { createRevisionTable } from './revision-table.ts'

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
    status: text('status').$type<SurveyStatus>().notNull().default('draft'),
    access: text('access').$type<SurveyAccess>().notNull().default(NEW_SURVEY_ACCESS),
    groupId: uuid('group_id'),
    verification: jsonb('verification').$type<VerificationRule>(),
    hasOpened: boolean('has_opened').notNull().default(false),
    anonymous: boolean('anonymous').notNull().default(false),
    variant: text('variant').$type<SurveyVariant>().notNull().default('site'),
    changeable: boolean('changeable').notNull().default(true),
    resultsPublic: boolean('results_public').notNull().default(false),
    opensAt: instant('opens_at'),
    closesAt: instant('closes_at'),
    minutes: integer('minutes'),
    definition: jsonb('definition').$type<unknown>().notNull(),
    /** The revision that says what `definition` says; null until the survey is saved again. */
    draftRevisionId: uuid('draft_revision_id'),
    /** The request for a review of the draft, if it waits for one. */
    reviewRequestedAt: instant('review_requested_at'),
    reviewRequestedBy: uuid('review_requested_by'),
    publishedVersion: integer('published_version'),
    lockVersion: integer('lock_version').notNull().default(1),
    responsesCount: integer('responses_count').notNull().default(0),
    responsesNumbered: integer('responses_numbered').notNull().default(0),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    position: integer('position').notNull().default(0),
    importedFrom: text('imported_from').$type<ImportFormat>(),
    sampleBroken: boolean('sample_broken').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

/**
 * The new value of `sampleBroken` when administrators change who can answer. Answers that were sent before may then have come from people who had
 * no letter.
 */
export const hasBrokenSample = sql<boolean>`${surveys.sampleBroken} or ${surveys.responsesNumbered} > 0`

export const surveyImports = pgTable(
  'survey_imports',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    format: text('format').$type<ImportFormat>().notNull(),
    report: jsonb('report').$type<unknown>().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.surveyId] })],
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

export const surveyRevisions = createRevisionTable('survey_revisions', { placeId: 'survey_id', content: 'content' })

export const surveyRevisionLists = pgTable(
  'survey_revision_lists',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    hash: text('hash').notNull(),
    options: jsonb('options').$type<unknown>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.surveyId, t.hash] })],
)

/** Of a survey or an activity. */
export const invitationBatches = pgTable(
  'invitation_batches',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    surveyId: uuid('survey_id'),
    activityId: uuid('activity_id'),
    kind: text('kind').$type<'codes' | 'links'>().notNull(),
    total: integer('total').notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
    sample: jsonb('sample').$type<{ sent: number; population: number; list: Translated }>(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const invitations = pgTable(
  'invitations',
  {
    siteId: uuid('site_id').notNull(),
    surveyId: uuid('survey_id'),
    activityId: uuid('activity_id'),
    secretHash: bytea('secret_hash').notNull(),
    batchId: uuid('batch_id').notNull(),
    recipientHash: bytea('recipient_hash'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.secretHash] })],
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
