import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { normaliseText } from '../../lib/normalise-text.ts'
import { splitWords } from '../../lib/search-fields.ts'
import type { Tx } from './client.ts'
import { searchPlaces, searchWords } from './schema/search.ts'

/** Share of a typed word's trigrams that must match, so that "libary" finds a library. */
const SIMILARITY_THRESHOLD = 0.42
const MAX_WORDS = 8
const MAX_LETTERS = 100
/** Most words of the site that one typed word may match. */
const MAX_SIMILAR_WORDS = 200
/** Words whose trigrams are certain to be the same here and in the database. */
const PLAIN_WORD = /^[a-z0-9]+$/
/** Words in a title weigh more than words in the text. */
const TITLE_WEIGHT = 1.5
/** A typed word that is a whole word of the title weighs more than any number of words that only resemble it. */
const WHOLE_TITLE_WEIGHT = 2
/** A shorter word has too few trigrams to tell a misspelling from another word: "bus" would be Budget. */
const FUZZY_FROM_LETTERS = 5

/** The result of a search, for every searched type. */
export interface TextSearch {
  /** True if the item with this id matches. */
  where: (id: AnyPgColumn) => SQL
  /** Higher is better. */
  score: (id: AnyPgColumn) => SQL<number>
}

/** The normalised words of a search, empty if nothing searchable was typed. */
export const toSearchWords = (typed: string): string[] => [
  ...new Set(splitWords(normaliseText(typed.slice(0, MAX_LETTERS))).slice(0, MAX_WORDS)),
]

/**
 * The parts of a `with` that find what matches, the last of which is `found (id, score)`. Typed words are compared with the site's distinct
 * words rather than with its texts; an index built on write says where those occur (see migration 0275).
 */
function buildFound(siteId: string, words: readonly string[]): SQL {
  const meant = sql.join(
    words.map(
      (word, at) => sql`(select ${at}::int as place, word, alike from (
        select ${searchWords.word} as word, ${measureLikeness(word, searchWords.word)} as alike from ${searchWords}
        where ${searchWords.siteId} = ${siteId} and ${mayBeMeant(word, searchWords.word)}) compared
        where alike >= ${SIMILARITY_THRESHOLD}::real order by alike desc, word limit ${MAX_SIMILAR_WORDS})`,
    ),
    sql` union all `,
  )
  // The score of an item is a sum over the words, which for one word is that word's.
  const weigh = (part: SQL): SQL => (words.length > 1 ? sql`sum(${part})` : part)
  const wholeTitles = words.length > 1 ? sql`(count(*) filter (where is_whole))::real` : sql`is_whole::int::real`
  return sql`meant as materialized (${meant}),
      standing as (
        select ${searchPlaces.subjectId} as id, meant.place, max(alike) as in_text, max(alike) filter (where ${searchPlaces.inTitle}) as in_title,
          bool_or(${searchPlaces.inTitle} and alike = 1) as is_whole
        from meant join ${searchPlaces} on ${searchPlaces.siteId} = ${siteId} and ${searchPlaces.word} = meant.word group by 1, 2),
      found as (
        select id, ${weigh(sql`in_text`)} + ${TITLE_WEIGHT}::real * coalesce(${weigh(sql`in_title`)}, 0) + ${WHOLE_TITLE_WEIGHT}::real * ${wholeTitles} as score
        from standing ${words.length > 1 ? sql`group by id having sum(in_text) >= ${SIMILARITY_THRESHOLD * words.length}::real` : sql``})`
}

/** What a search found, as the database writes it. */
interface FoundTexts {
  /** An array. */
  ids: string
  /** An object of scores by id. */
  scores: string
}

/** A typo-tolerant search: most of the words must occur in an item, or similar ones. Undefined if nothing matches. */
export async function findTexts(tx: Tx, siteId: string, words: readonly string[]): Promise<FoundTexts | undefined> {
  // One row, whose texts go back as they came: ten thousand matches would take longer to read than to find.
  const { rows } = await tx.execute<Record<keyof FoundTexts, string | null>>(
    sql`with ${buildFound(siteId, words)} select array_agg(id)::text as ids, json_object_agg(id, score)::text as scores from found`,
  )
  const { ids, scores } = rows[0] ?? {}
  return ids && scores ? { ids, scores } : undefined
}

export async function searchTexts(tx: Tx, siteId: string, words: readonly string[]): Promise<TextSearch> {
  const { ids, scores } = (await findTexts(tx, siteId, words)) ?? { ids: '{}', scores: '{}' }
  return {
    where: (id) => sql`${id} = any (${ids}::uuid[])`,
    score: (id) => sql<number>`(${scores}::jsonb ->> ${id}::text)::real`,
  }
}

/** The same search as part of the one statement that uses it: what it finds then never leaves the database. */
export interface JoinedSearch extends TextSearch {
  /** Stands in the statement's `with`. What asks for the score also reads from `found`. */
  found: SQL
}

export const joinTexts = (siteId: string, words: readonly string[]): JoinedSearch => ({
  found: buildFound(siteId, words),
  // An array lets PostgreSQL sort the ids and scan the index once; a join would search the index again for each id.
  where: (id) => sql`${id} = any (array(select found.id from found))`,
  score: () => sql<number>`found.score`,
})

/**
 * True if the text contains a similar word. Call `setSimilarityThreshold` in the same transaction first.
 * @param first a cheaper condition that must hold too
 */
export const matchesApproximately = (word: string, text: AnyPgColumn, first = sql`true`): SQL =>
  // With `and`, the database would evaluate the most expensive condition first.
  sql`case when ${first} and ${mayContainWord(word, text)} then ${word} <% ${text} else false end`

/** The trigrams by which the database compares a plain word. */
function toTrigrams(word: string): string[] {
  const padded = `  ${word} `
  return [...new Set(Array.from({ length: word.length + 1 }, (_, at) => padded.slice(at, at + 3)))].map((group) => group.trim())
}

/**
 * A cheap pre-filter, true whenever the text may contain a similar word: it counts the word's trigrams, wherever they occur. Trigrams at
 * the word's ends are matched without their padding.
 */
function mayContainWord(word: string, text: AnyPgColumn): SQL {
  if (!PLAIN_WORD.test(word)) return sql`true`
  const groups = toTrigrams(word)
  const there = groups.map((group) => sql`(${text} like ${`%${group}%`})::int`)
  return sql`${sql.join(there, sql` + `)} >= ${Math.ceil(SIMILARITY_THRESHOLD * groups.length - 1e-6)}::int`
}

/** The same for a single word: it must contain any trigram but the first letter alone, since longer words need at least one more. */
function mayResemble(word: string, one: AnyPgColumn): SQL {
  if (!PLAIN_WORD.test(word) || word.length < 2) return sql`true`
  const groups = toTrigrams(word).filter((group) => group.length > 1)
  return sql`${one} like any (${sql.param(groups.map((group) => `%${group}%`))}::text[])`
}

/**
 * Which words of the site a typed word may match. A short one matches words that begin with it, and the same word without its last letter:
 * "rues" finds "rue".
 */
function mayBeMeant(word: string, one: AnyPgColumn): SQL {
  const letters = Array.from(word)
  if (letters.length >= FUZZY_FROM_LETTERS) return mayResemble(word, one)
  const shorter = letters.length > 2 ? sql` or ${one} = ${letters.slice(0, -1).join('')}` : sql``
  return sql`(${one} like ${`${word}%`}${shorter})`
}

/** Of a word that begins with what was typed, in a script by which the database may compare nothing. */
const BEGINS_ALIKE = 0.7

/** How much a word of the site is like a typed one, from 0 to 1. Trigrams of other scripts than Latin depend on the database's locale. */
const measureLikeness = (word: string, one: AnyPgColumn): SQL =>
  PLAIN_WORD.test(word)
    ? sql`word_similarity(${word}, ${one})`
    : sql`greatest(word_similarity(${word}, ${one}), case when ${one} = ${word} then 1::real when starts_with(${one}, ${word}) then ${BEGINS_ALIKE}::real end)`

/** Sets the similarity threshold for the rest of the transaction: PostgreSQL's default misses half of all misspellings. */
export async function setSimilarityThreshold(tx: Tx): Promise<void> {
  await tx.execute(sql`select set_config('pg_trgm.word_similarity_threshold', ${String(SIMILARITY_THRESHOLD)}, true)`)
}
