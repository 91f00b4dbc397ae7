import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { EligibilityField, VerificationLevel, VerificationMethod } from '../../../lib/vocabulary/verifications.ts'
import { bytea, instant, translated } from './columns.ts'

export const eligibilityLists = pgTable(
  'eligibility_lists',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    name: translated('name').notNull(),
    level: text('level').$type<VerificationLevel>().notNull(),
    fields: text('fields').array().$type<EligibilityField[]>().notNull(),
    validUntil: instant('valid_until').notNull(),
    entries: integer('entries').notNull().default(0),
    lockVersion: integer('lock_version').notNull().default(1),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const eligibilityEntries = pgTable(
  'eligibility_entries',
  {
    siteId: uuid('site_id').notNull(),
    listId: uuid('list_id').notNull(),
    hash: bytea('hash').notNull(),
    bucket: integer('bucket').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.listId, t.hash] })],
)

export const verifications = pgTable(
  'verifications',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    userId: uuid('user_id'),
    browserHash: bytea('browser_hash'),
    subjectHash: bytea('subject_hash').notNull(),
    method: text('method').$type<VerificationMethod>().notNull(),
    level: text('level').$type<VerificationLevel>().notNull(),
    listId: uuid('list_id'),
    validUntil: instant('valid_until').notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
