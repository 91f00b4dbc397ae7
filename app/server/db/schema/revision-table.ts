import { jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** A table of versions. All of them have the same columns, two of which are named after what they hold. */
export const createRevisionTable = (name: string, named: { placeId: string; content: string }) =>
  pgTable(
    name,
    {
      siteId: uuid('site_id').notNull(),
      id: uuid('id').notNull(),
      /** The hub or project whose content it is; null for the site's own. */
      placeId: uuid(named.placeId),
      parentId: uuid('parent_id'),
      content: jsonb(named.content).$type<unknown>().notNull(),
      note: text('note').notNull().default(''),
      createdBy: uuid('created_by'),
      createdAt: instant('created_at').notNull().defaultNow(),
      publishedAt: instant('published_at'),
      publishedBy: uuid('published_by'),
      announcedAt: instant('announced_at'),
      waived: jsonb('waived').$type<string[]>().notNull().default([]),
    },
    (t) => [primaryKey({ columns: [t.siteId, t.id] })],
  )
