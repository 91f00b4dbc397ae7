import { boolean, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import type { Translated } from '../../../lib/translated.ts'
import type { ProfileAskedAt, ProfileQuestionStatus, ProfileQuestionType, ProfileSource } from '../../../lib/vocabulary/profile.ts'
import { instant, translated } from './columns.ts'

export const profileQuestions = pgTable(
  'profile_questions',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    key: text('key').notNull(),
    type: text('type').$type<ProfileQuestionType>().notNull(),
    label: translated('label').notNull(),
    help: translated('help').notNull().default({}),
    purpose: translated('purpose').notNull(),
    options: jsonb('options').$type<readonly { id: string; label: Translated; retired?: true | undefined }[]>().notNull().default([]),
    position: integer('position').notNull().default(0),
    required: boolean('required').notNull().default(false),
    sensitive: boolean('sensitive').notNull().default(false),
    askedAt: text('asked_at').$type<ProfileAskedAt>().notNull(),
    retentionMonths: integer('retention_months').notNull(),
    status: text('status').$type<ProfileQuestionStatus>().notNull(),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const profileAnswers = pgTable(
  'profile_answers',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id').notNull(),
    questionId: uuid('question_id').notNull(),
    answer: jsonb('answer').$type<unknown>().notNull(),
    answeredAt: instant('answered_at').notNull().defaultNow(),
    source: text('source').$type<ProfileSource>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] }), unique().on(t.siteId, t.userId, t.questionId)],
)

export const profileAnswerOptions = pgTable(
  'profile_answer_options',
  {
    siteId: uuid('site_id').notNull(),
    questionId: uuid('question_id').notNull(),
    option: text('option').notNull(),
    userId: uuid('user_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.questionId, t.option, t.userId] })],
)
