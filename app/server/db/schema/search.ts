import { boolean, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'

export const searchWords = pgTable('search_words', { siteId: uuid('site_id').notNull(), word: text('word').notNull() }, (t) => [
  primaryKey({ columns: [t.siteId, t.word] }),
])

export const searchPlaces = pgTable(
  'search_places',
  {
    siteId: uuid('site_id').notNull(),
    word: text('word').notNull(),
    subjectId: uuid('subject_id').notNull(),
    inTitle: boolean('in_title').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.word, t.subjectId] })],
)
