import { boolean, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
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

export const codeBatches = pgTable(
  'code_batches',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    level: text('level').$type<VerificationLevel>().notNull(),
    total: integer('total').notNull(),
    validUntil: instant('valid_until').notNull(),
    endedAt: instant('ended_at'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const verificationCodes = pgTable(
  'verification_codes',
  {
    siteId: uuid('site_id').notNull(),
    hash: bytea('hash').notNull(),
    batchId: uuid('batch_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.hash] })],
)

export const verificationTexts = pgTable(
  'verification_texts',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    phoneHash: bytea('phone_hash').notNull(),
    codeHash: bytea('code_hash').notNull(),
    tries: integer('tries').notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const postcodeSettings = pgTable('postcode_settings', {
  siteId: uuid('site_id').primaryKey(),
  postcodes: text('postcodes').array().notNull().default([]),
  usesAreas: boolean('uses_areas').notNull().default(false),
  lockVersion: integer('lock_version').notNull().default(1),
  updatedAt: instant('updated_at').notNull(),
})

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
    batchId: uuid('batch_id'),
    identityId: uuid('identity_id'),
    validUntil: instant('valid_until').notNull(),
    createdBy: uuid('created_by'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
