import { integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Language } from '../../../lib/languages.ts'
import { instant } from './columns.ts'

export const jargonLists = pgTable(
  'jargon_lists',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    language: text('language').$type<Language>().notNull(),
    entries: text('entries').array().notNull().default([]),
    lockVersion: integer('lock_version').notNull().default(1),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
