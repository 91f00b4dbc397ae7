import { bigint, boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Language } from '../../../lib/languages.ts'
import type { DocumentContent } from '../../documents/document.schema.ts'
import { bytea, instant } from './columns.ts'

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

/** The report that a file is made of. */
export interface StoredReport {
  title: string
  /** As in the report's address. */
  query: string
  /** Ids of the projects it is about. */
  projects: string[]
  content?: DocumentContent
  /** The workbook of a project's codes instead, which is read when it is made. */
  codes?: { project: string; filename: string }
}

export const surveyExports = pgTable(
  'survey_exports',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    /** Null for a report. */
    surveyId: uuid('survey_id'),
    createdBy: uuid('created_by'),
    format: text('format').$type<'csv' | 'xlsx' | 'json' | 'spss' | 'pdf'>().notNull(),
    personal: boolean('personal').notNull().default(false),
    language: text('language').$type<Language>().notNull(),
    state: text('state').$type<'waiting' | 'running' | 'done' | 'failed' | 'cancelled'>().notNull().default('waiting'),
    total: integer('total').notNull(),
    done: integer('done').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }),
    createdAt: instant('created_at').notNull(),
    aliveAt: instant('alive_at'),
    lease: uuid('lease'),
    finishedAt: instant('finished_at'),
    expiresAt: instant('expires_at').notNull(),
    /** Why a file with personal data was asked for. */
    reason: text('reason'),
    report: jsonb('report').$type<StoredReport>(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
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
