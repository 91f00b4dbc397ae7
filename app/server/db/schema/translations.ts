import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { Language } from '../../../lib/languages.ts'
import { instant } from './columns.ts'

/** Pairs of a text and its translation of which the text changed after. */
export const staleTranslations = pgTable(
  'stale_translations',
  {
    siteId: uuid('site_id').notNull(),
    /** The page, project, survey or whatever it belongs to; the site for its own homepage. */
    subjectId: uuid('subject_id').notNull(),
    language: text('language').$type<Language>().notNull(),
    /** SHA-256 of both texts, in base64url. */
    pairHash: text('pair_hash').notNull(),
    /** What the source said when it was translated. */
    formerSource: text('former_source').notNull(),
    changedAt: instant('changed_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.subjectId, t.language, t.pairHash] })],
)
