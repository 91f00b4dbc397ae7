import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ContentLanguage, Language } from '../../../lib/languages.ts'
import type { CampaignStatus } from '../../../lib/vocabulary/campaigns.ts'
import type { SmsDirection, SmsFault, SmsPurpose, SmsStatus } from '../../../lib/vocabulary/sms.ts'
import { bytea, instant, translated } from './columns.ts'

export const smsMessages = pgTable(
  'sms_messages',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    direction: text('direction').$type<SmsDirection>().notNull(),
    purpose: text('purpose').$type<SmsPurpose>().notNull(),
    status: text('status').$type<SmsStatus>().notNull(),
    phone: text('phone').notNull(),
    userId: uuid('user_id'),
    language: text('language').$type<ContentLanguage>().notNull(),
    body: text('body').notNull(),
    segments: integer('segments').notNull().default(1),
    integration: text('integration'),
    providerId: text('provider_id'),
    fault: text('fault').$type<SmsFault>(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: instant('next_attempt_at'),
    createdAt: instant('created_at').notNull(),
    triedAt: instant('tried_at'),
    sentAt: instant('sent_at'),
    settledAt: instant('settled_at'),
    campaignId: uuid('campaign_id'),
    unnamed: boolean('unnamed').notNull().default(false),
    takenUp: boolean('taken_up').notNull().default(false),
    signUpId: uuid('sign_up_id'),
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
    status: text('status').$type<CampaignStatus>().notNull().default('draft'),
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
