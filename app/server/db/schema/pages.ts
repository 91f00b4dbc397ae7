import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { PageKind } from '../../../lib/vocabulary/pages.ts'
import { instant, translated } from './columns.ts'

export const pages = pgTable(
  'pages',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    slug: text('slug').notNull(),
    kind: text('kind').$type<PageKind>().notNull().default('page'),
    title: translated('title').notNull(),
    body: translated('body').notNull(),
    publishedAt: instant('published_at'),
    position: integer('position').notNull().default(0),
    searchTitle: text('search_title').notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    lockVersion: integer('lock_version').notNull().default(1),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)

export const oldAddresses = pgTable(
  'old_addresses',
  {
    siteId: uuid('site_id').notNull(),
    kind: text('kind').notNull(),
    slug: text('slug').notNull(),
    targetId: uuid('target_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.kind, t.slug] })],
)
