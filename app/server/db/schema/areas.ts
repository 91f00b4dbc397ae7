import { bigint, doublePrecision, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Translated } from '#app/lib/translated.ts'
import { instant } from './columns.ts'

export const areas = pgTable(
  'areas',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    /** Null for an area that was uploaded or drawn. */
    datasetId: uuid('dataset_id'),
    slug: text('slug').notNull(),
    name: text('name').notNull(),
    names: jsonb('names').$type<Translated>().notNull().default({}),
    key: text('key'),
    rings: jsonb('rings').$type<unknown>().notNull(),
    postcodes: text('postcodes').array().notNull().default([]),
    goneAt: instant('gone_at'),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const projectAreas = pgTable(
  'project_areas',
  {
    siteId: uuid('site_id').notNull(),
    projectId: uuid('project_id').notNull(),
    areaId: uuid('area_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.projectId, t.areaId] })],
)

export const homeAreas = pgTable(
  'home_areas',
  {
    siteId: uuid('site_id').notNull(),
    userId: uuid('user_id').notNull(),
    areaId: uuid('area_id').notNull(),
    consentedAt: instant('consented_at').notNull(),
    /** When the person agreed to be chosen for news and texts by it. */
    newsConsentedAt: instant('news_consented_at'),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.userId] })],
)

export const mapFiles = pgTable(
  'map_files',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    hash: text('hash').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    name: text('name').notNull(),
    credit: text('credit').notNull(),
    box: doublePrecision('box').array().notNull(),
    minZoom: integer('min_zoom').notNull(),
    maxZoom: integer('max_zoom').notNull(),
    tiles: integer('tiles').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
