import { and, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { foldText } from '../../lib/fold.ts'
import type { Tx } from './client.ts'

/** Share of a typed word's letter groups that must be found, so that "libary" finds a library. */
const ALIKE = 0.42
const MOST_WORDS = 8
const MOST_LETTERS = 100

export interface TextSearch {
  where: SQL
  /** Higher is better; a hit in the title counts more. */
  score: SQL<number>
}

/** Words of a search as they are compared, or none where nothing searchable was typed. */
export const searchWords = (typed: string): string[] => [
  ...new Set(
    foldText(typed.slice(0, MOST_LETTERS))
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .slice(0, MOST_WORDS),
  ),
]

/**
 * Condition and order of a search that forgives misspellings: most of the words must be found somewhere, alike enough.
 * Call `searchTolerantly` in the same transaction first.
 */
export function textSearch(words: readonly string[], columns: { title: AnyPgColumn; text: AnyPgColumn }): TextSearch {
  const parts = words.map((word) => ({
    found: sql`${word} <% ${columns.text}`,
    inText: sql`word_similarity(${word}, ${columns.text})`,
    inTitle: sql`word_similarity(${word}, ${columns.title})`,
  }))
  const sum = (terms: SQL[]) => sql.join(terms, sql` + `)
  const needed = ALIKE * words.length
  return {
    where: and(or(...parts.map((part) => part.found)), sql`(${sum(parts.map((part) => part.inText))}) >= ${needed}::real`) ?? sql`true`,
    score: sql<number>`(${sum(parts.map((part) => part.inText))} + 1.5 * (${sum(parts.map((part) => part.inTitle))}))`,
  }
}

/** How alike is alike enough, for the rest of the transaction: PostgreSQL's own default misses half of all misspellings. */
export async function searchTolerantly(tx: Tx): Promise<void> {
  await tx.execute(sql`select set_config('pg_trgm.word_similarity_threshold', ${String(ALIKE)}, true)`)
}
