import { and, isNull, sql } from 'drizzle-orm'
import { bigint, boolean, doublePrecision, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import type { ContentLanguage } from '../../../lib/languages.ts'
import { bits, bytea, instant } from './columns.ts'

export const responses = pgTable(
  'responses',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    version: integer('version').notNull(),
    userId: uuid('user_id'),
    language: text('language').$type<ContentLanguage>().notNull(),
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
    crowdId: uuid('crowd_id'),
    counted: boolean('counted').notNull().default(true),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

/** What every figure is made of. What came from one place in unusual number does not count until somebody has looked. */
export const isCounted = and(isNull(responses.withdrawnAt), responses.counted)

/** Began or ceased to count after this, because somebody decided about unusually many from one place. */
export const changedWithCrowd = (after: Date) =>
  sql`exists (select from crowds c where c.site_id = ${responses.siteId} and c.id = ${responses.crowdId} and c.changed_at > ${after.toISOString()})`

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

export const responseDrafts = pgTable(
  'response_drafts',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    surveyId: uuid('survey_id').notNull(),
    version: integer('version').notNull(),
    userId: uuid('user_id'),
    language: text('language').$type<ContentLanguage>().notNull(),
    answers: jsonb('answers').$type<unknown>().notNull(),
    resumeHash: bytea('resume_hash'),
    replaces: uuid('replaces'),
    replacesEdit: uuid('replaces_edit'),
    receiptSealed: text('receipt_sealed'),
    startedAt: instant('started_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
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
