import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ContentLanguage } from '../../../lib/languages.ts'
import type { TranslatableType, TranslatedTexts } from '../../../lib/vocabulary/contributions.ts'
import { instant } from './columns.ts'

/** Pairs of a text and its translation of which the text changed after. */
export const staleTranslations = pgTable(
  'stale_translations',
  {
    siteId: uuid('site_id').notNull(),
    /** The page, project, survey or whatever it belongs to; the site for its own homepage. */
    subjectId: uuid('subject_id').notNull(),
    language: text('language').$type<ContentLanguage>().notNull(),
    /** SHA-256 of both texts, in base64url. */
    pairHash: text('pair_hash').notNull(),
    /** What the source said when it was translated. */
    formerSource: text('former_source').notNull(),
    changedAt: instant('changed_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.subjectId, t.language, t.pairHash] })],
)

/** Translations that are as a machine wrote them, until somebody confirms them. */
export const machineTexts = pgTable(
  'machine_texts',
  {
    siteId: uuid('site_id').notNull(),
    /** The page, project, survey or whatever it belongs to; the site for its own homepage. */
    subjectId: uuid('subject_id').notNull(),
    language: text('language').$type<ContentLanguage>().notNull(),
    /** SHA-256 of both texts, in base64url. */
    pairHash: text('pair_hash').notNull(),
    /** The name of the service. */
    service: text('service').notNull(),
    translatedAt: instant('translated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.subjectId, t.language, t.pairHash] })],
)

/** Translations of contributions, replies and official answers that readers asked for. */
export const textTranslations = pgTable(
  'text_translations',
  {
    siteId: uuid('site_id').notNull(),
    id: uuid('id').notNull(),
    /** The contribution itself, or the one that was replied to or answered. */
    contributionId: uuid('contribution_id').notNull(),
    sourceType: text('source_type').$type<TranslatableType>().notNull(),
    sourceId: uuid('source_id').notNull(),
    /** Into which it is translated. */
    language: text('language').$type<ContentLanguage>().notNull(),
    sourceLanguage: text('source_language').$type<ContentLanguage>().notNull(),
    /** SHA-256 of what was translated, in base64url. */
    sourceHash: text('source_hash').notNull(),
    /** Null while the service is asked. */
    texts: jsonb('texts').$type<TranslatedTexts>(),
    /** The name of the service, as readers are shown it. */
    service: text('service').notNull(),
    /** Until when whoever asked first waits for the service. */
    claimedUntil: instant('claimed_until'),
    createdAt: instant('created_at').notNull().defaultNow(),
    correctedAt: instant('corrected_at'),
    correctedBy: uuid('corrected_by'),
    /** In whose name it was corrected. */
    team: text('team').notNull().default(''),
    lockVersion: integer('lock_version').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.siteId, t.id] })],
)
