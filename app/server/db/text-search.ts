import { or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { foldText } from '../../lib/fold.ts'
import type { Tx } from './client.ts'

/** Share of a typed word's letter groups that must be found, so that "libary" finds a library. */
const ALIKE = 0.42
const MOST_WORDS = 8
const MOST_LETTERS = 100
/** In longer texts the letters of most words are somewhere, so that looking for them spares nothing. */
const SHORT_TEXT_BYTES = 1000
/** Words whose letter groups are surely the same here and in the database. */
const PLAIN = /^[a-z0-9]+$/

export interface TextSearch {
  where: SQL
  /** Higher is better; a hit in the title counts more. */
  score: SQL<number>
  /** The same for who keeps `inText` of the rows where `some` is true, so that no text is compared twice. */
  inSteps: {
    some: SQL
    inText: SQL
    enough: (inText: SQL) => SQL
    score: (inText: SQL, title: SQL | AnyPgColumn) => SQL<number>
  }
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
  const sum = (text: SQL | AnyPgColumn) =>
    sql.join(
      words.map((word) => similarity(word, text)),
      sql` + `,
    )
  const some = or(...words.map((word) => sql`(${hasWord(word, columns.text)} or ${nearlyHas(word, columns.text)})`)) ?? sql`true`
  const inText = sql`(${sum(columns.text)})`
  // Of a single word the sum says nothing more.
  const enough = (alike: SQL) => (words.length > 1 ? sql`${alike} >= ${ALIKE * words.length}::real` : sql`true`)
  const score = (alike: SQL, title: SQL | AnyPgColumn) => sql<number>`(${alike} + 1.5 * (${sum(title)}))`
  return { where: sql`(${some} and ${enough(inText)})`, score: score(inText, columns.title), inSteps: { some, inText, enough, score } }
}

/**
 * True where a word alike enough stands in the text. Call `searchTolerantly` in the same transaction first.
 * @param first what has to be true as well and takes less than comparing
 */
export const nearlyHas = (word: string, text: AnyPgColumn, first = sql`true`): SQL =>
  // Of conditions joined by `and`, the database would ask the dearest first.
  sql`case when ${first} and ${mayHave(word, text)} then ${word} <% ${text} else false end`

/** As the database has it, which is 1 where the word itself is there: to find it takes a fraction of comparing. */
const similarity = (word: string, text: SQL | AnyPgColumn): SQL =>
  sql`case when ${hasWord(word, text)} then 1::real else word_similarity(${word}, ${text}) end`

const hasWord = (word: string, text: SQL | AnyPgColumn): SQL =>
  PLAIN.test(word) ? sql`strpos(' ' || ${text} || ' ', ${` ${word} `}) > 0` : sql`false`

/**
 * True wherever something in the text may be alike enough, for a fraction of comparing: it has as many of the word's letter groups as that
 * takes, wherever they are. Groups at the word's ends are looked for without their blanks.
 */
function mayHave(word: string, text: AnyPgColumn): SQL {
  if (!PLAIN.test(word)) return sql`true`
  const padded = `  ${word} `
  const groups = [...new Set(Array.from({ length: word.length + 1 }, (_, at) => padded.slice(at, at + 3)))]
  const there = groups.map((group) => sql`(${text} like ${`%${group.trim()}%`})::int`)
  const least = Math.ceil(ALIKE * groups.length - 1e-6)
  return sql`(octet_length(${text}) > ${SHORT_TEXT_BYTES}::int or ${sql.join(there, sql` + `)} >= ${least}::int)`
}

/** How alike is alike enough, for the rest of the transaction: PostgreSQL's own default misses half of all misspellings. */
export async function searchTolerantly(tx: Tx): Promise<void> {
  await tx.execute(sql`select set_config('pg_trgm.word_similarity_threshold', ${String(ALIKE)}, true)`)
}
