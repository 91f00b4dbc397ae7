import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Language } from '../../lib/languages.ts'

const COLLATIONS: Record<Language, string> = {
  en: 'parley_en',
  'fr-CA': 'parley_fr_ca',
  cy: 'parley_cy',
}

/** A text as a key to sort by, in the order that readers of the language expect. Small letters come first among equals. */
export const collateFor = (language: Language, text: SQLWrapper): SQL<string> =>
  sql<string>`(${text} collate ${sql.raw(COLLATIONS[language])})`
