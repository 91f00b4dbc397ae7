import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { normaliseText } from '../../lib/normalise-text.ts'
import { splitWords } from '../../lib/search-fields.ts'
import type { Tx } from './client.ts'
import { searchPlaces, searchWords } from './schema.ts'

/** Share of a typed word's letter groups that must be found, so that "libary" finds a library. */
const SIMILARITY_THRESHOLD = 0.42
const MAX_WORDS = 8
const MAX_LETTERS = 100
/** Words of the site that one typed word may stand for. */
const MAX_SIMILAR_WORDS = 200
/** Words whose letter groups are surely the same here and in the database. */
const PLAIN_WORD = /^[a-z0-9]+$/
/** A word in a title says more of what a thing is about than one in its text, by this much. */
const TITLE_WEIGHT = 1.5

/** What a search found, of all the kinds of things that are searched. */
export interface TextSearch {
  /** Whether the thing with this id is among it. */
  where: (id: AnyPgColumn) => SQL
  /** Higher is better. */
  score: (id: AnyPgColumn) => SQL<number>
}

/** Words of a search as they are compared, or none where nothing searchable was typed. */
export const toSearchWords = (typed: string): string[] => [
  ...new Set(splitWords(normaliseText(typed.slice(0, MAX_LETTERS))).slice(0, MAX_WORDS)),
]

/**
 * A search that forgives misspellings: most of the words must stand in a thing, alike enough. Each word is compared with those of the site,
 * not with its texts; where those stand was written down when they were (see migration 0275).
 */
export async function searchTexts(tx: Tx, siteId: string, words: readonly string[]): Promise<TextSearch> {
  const meant = sql.join(
    words.map(
      (word, at) => sql`(select ${at}::int as place, word, alike from (
        select ${searchWords.word} as word, word_similarity(${word}, ${searchWords.word}) as alike from ${searchWords}
        where ${searchWords.siteId} = ${siteId} and ${mayResemble(word, searchWords.word)}) compared
        where alike >= ${SIMILARITY_THRESHOLD}::real order by alike desc, word limit ${MAX_SIMILAR_WORDS})`,
    ),
    sql` union all `,
  )
  const { rows } = await tx.execute<{ id: string; score: number }>(
    sql`with meant as materialized (${meant}),
      standing as (
        select ${searchPlaces.subjectId} as id, meant.place, max(alike) as in_text, max(alike) filter (where ${searchPlaces.inTitle}) as in_title
        from meant join ${searchPlaces} on ${searchPlaces.siteId} = ${siteId} and ${searchPlaces.word} = meant.word group by 1, 2)
      select id, sum(in_text) + ${TITLE_WEIGHT}::real * coalesce(sum(in_title), 0) as score
      from standing group by id having sum(in_text) >= ${SIMILARITY_THRESHOLD * words.length}::real`,
  )
  const scores = JSON.stringify(Object.fromEntries(rows.map(({ id, score }) => [id, score])))
  const ids = rows.map(({ id }) => id)
  return {
    where: (id) => sql`${id} = any (${sql.param(ids)}::uuid[])`,
    score: (id) => sql<number>`(${scores}::jsonb ->> ${id}::text)::real`,
  }
}

/**
 * True where a word alike enough stands in the text. Call `setSimilarityThreshold` in the same transaction first.
 * @param first what has to be true as well and takes less than comparing
 */
export const matchesApproximately = (word: string, text: AnyPgColumn, first = sql`true`): SQL =>
  // Of conditions joined by `and`, the database would ask the dearest first.
  sql`case when ${first} and ${mayContainWord(word, text)} then ${word} <% ${text} else false end`

/** The groups of three letters that the database compares a plain word by. */
function toTrigrams(word: string): string[] {
  const padded = `  ${word} `
  return [...new Set(Array.from({ length: word.length + 1 }, (_, at) => padded.slice(at, at + 3)))].map((group) => group.trim())
}

/**
 * True wherever something in the text may be alike enough, for a fraction of comparing: it has as many of the word's letter groups as that
 * takes, wherever they are. Groups at the word's ends are looked for without their blanks.
 */
function mayContainWord(word: string, text: AnyPgColumn): SQL {
  if (!PLAIN_WORD.test(word)) return sql`true`
  const groups = toTrigrams(word)
  const there = groups.map((group) => sql`(${text} like ${`%${group}%`})::int`)
  return sql`${sql.join(there, sql` + `)} >= ${Math.ceil(SIMILARITY_THRESHOLD * groups.length - 1e-6)}::int`
}

/** The same of a single word: any group but its first letter alone, since one group more than that is wanted of words this long. */
function mayResemble(word: string, one: AnyPgColumn): SQL {
  if (!PLAIN_WORD.test(word) || word.length < 2) return sql`true`
  const groups = toTrigrams(word).filter((group) => group.length > 1)
  return sql`${one} like any (${sql.param(groups.map((group) => `%${group}%`))}::text[])`
}

/** How alike is alike enough, for the rest of the transaction: PostgreSQL's own default misses half of all misspellings. */
export async function setSimilarityThreshold(tx: Tx): Promise<void> {
  await tx.execute(sql`select set_config('pg_trgm.word_similarity_threshold', ${String(SIMILARITY_THRESHOLD)}, true)`)
}
