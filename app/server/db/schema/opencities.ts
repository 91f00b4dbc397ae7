import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Language } from '../../../lib/languages.ts'
import type { PortalKind } from '../../../lib/vocabulary/opencities.ts'
import { bytea, instant, translated } from './columns.ts'

export const cityConnectors = pgTable(
  'city_connectors',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    name: text('name').notNull(),
    portalUrl: text('portal_url').notNull(),
    kind: text('kind').$type<PortalKind>().notNull(),
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
