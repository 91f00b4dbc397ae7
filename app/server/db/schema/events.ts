import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { EventAccess, EventStatus, SignUpState } from '../../../lib/vocabulary/events.ts'
import type { ContentLanguage } from '../../../lib/languages.ts'
import { bytea, instant, translated } from './columns.ts'

export const events = pgTable(
  'events',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    slug: text('slug').notNull(),
    title: translated('title').notNull(),
    description: translated('description').notNull().default({}),
    status: text('status').$type<EventStatus>().notNull().default('draft'),
    startsAt: instant('starts_at'),
    endsAt: instant('ends_at'),
    place: translated('place').notNull().default({}),
    joinLink: text('join_link').notNull().default(''),
    accessInfo: translated('access_info').notNull().default({}),
    capacity: integer('capacity'),
    hasWaitingList: boolean('has_waiting_list').notNull().default(true),
    access: text('access').$type<EventAccess>().notNull().default('anyone'),
    questions: jsonb('questions').$type<unknown>().notNull().default([]),
    going: integer('going').notNull().default(0),
    waiting: integer('waiting').notNull().default(0),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const eventSignUps = pgTable(
  'event_sign_ups',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    eventId: uuid('event_id').notNull(),
    userId: uuid('user_id'),
    name: text('name').notNull().default(''),
    email: text('email'),
    language: text('language').$type<ContentLanguage>().notNull(),
    answers: jsonb('answers').$type<unknown>().notNull().default({}),
    state: text('state').$type<SignUpState>().notNull(),
    receiptHash: bytea('receipt_hash'),
    sealedReceipt: text('sealed_receipt'),
    attendedAt: instant('attended_at'),
    remindedAt: instant('reminded_at'),
    remindByText: boolean('remind_by_text').notNull().default(false),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
