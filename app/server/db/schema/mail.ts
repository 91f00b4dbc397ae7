import { boolean, date, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ContentLanguage } from '../../../lib/languages.ts'
import { bytea, instant } from './columns.ts'

export const outboxMails = pgTable(
  'outbox_mails',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    recipient: text('recipient').notNull(),
    language: text('language').$type<ContentLanguage>().notNull(),
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
    decisionId: uuid('decision_id'),
    fileId: uuid('file_id'),
    signUpId: uuid('sign_up_id'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const mailFiles = pgTable(
  'mail_files',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    mediaType: text('media_type').notNull(),
    bytes: bytea('bytes').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const campaignMails = pgTable(
  'campaign_mails',
  {
    siteId: uuid('site_id').notNull(),
    campaignId: uuid('campaign_id').notNull(),
    language: text('language').$type<ContentLanguage>().notNull(),
    subject: text('subject').notNull(),
    bodyText: text('body_text').notNull(),
    bodyHtml: text('body_html').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.campaignId, t.language] })],
)

export const messageLinks = pgTable(
  'message_links',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    campaignId: uuid('campaign_id').notNull(),
    code: text('code').notNull(),
    language: text('language').$type<ContentLanguage>().notNull(),
    url: text('url').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const linkClicks = pgTable(
  'link_clicks',
  {
    siteId: uuid('site_id').notNull(),
    linkId: uuid('link_id').notNull(),
    day: date('day').notNull(),
    clicks: integer('clicks').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.linkId, t.day] })],
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
    language: text('language').$type<ContentLanguage>().notNull(),
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
