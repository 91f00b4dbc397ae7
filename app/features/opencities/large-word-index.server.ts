import { and, count, eq, gte, lt, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasetWords } from '#app/server/db/schema/opencities.ts'
import type { DatasetRow } from './datasets.server.ts'

type Copy = Pick<DatasetRow, 'id' | 'version'>

/** Words stored together in one row of the list. */
const WORDS_PER_PART = 2000

/**
 * Stores which rows of a copy contain each word, sorted by word. A text index would not work: under row-level security PostgreSQL only uses
 * an index for plain comparisons. The database does the sorting.
 */
export async function writeWordIndex(ctx: Ctx, { id, version }: Copy): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await tx.execute(sql`delete from city_dataset_words where site_id = ${ctx.site.id} and dataset_id = ${id} and version = ${version}`)
    await tx.execute(sql`
      insert into city_dataset_words (site_id, dataset_id, version, part, first_word, last_word, words, positions)
      select ${ctx.site.id}, ${id}, ${version}, (place - 1) / ${WORDS_PER_PART}::int, min(word), max(word),
        array_agg(word order by place), array_agg(position order by place)
      from (
        select word collate "C" as word, position, row_number() over (order by word collate "C", position) as place
        from city_dataset_rows, string_to_table(words, ' ') as word
        where site_id = ${ctx.site.id} and dataset_id = ${id} and version = ${version} and words <> ''
      ) as sorted group by 4`)
  })
}

export interface WordRange {
  from: string
  to: string
}

/** The words with a given beginning; only the whole word if it ends in a space. */
export const toWordRange = (beginning: string): WordRange =>
  beginning.endsWith(' ') ? { from: beginning.slice(0, -1), to: beginning } : { from: beginning, to: `${beginning}\u{10FFFF}` }

/** Positions of the rows with words in a range; a row with several of them appears several times. */
export const selectPositions = (ctx: Ctx, copy: Copy, range: WordRange) => sql`
  select place.position from city_dataset_words, unnest(words, positions) as place (word, position)
  where ${isWordPageWithin(ctx, copy, range)} and place.word >= ${range.from} and place.word < ${range.to}`

/** The pages of a copy's word list. */
export const isWordPageOf = (ctx: Ctx, { id, version }: Copy) =>
  and(eq(cityDatasetWords.siteId, ctx.site.id), eq(cityDatasetWords.datasetId, id), eq(cityDatasetWords.version, version))

const isWordPageWithin = (ctx: Ctx, copy: Copy, { from, to }: WordRange) =>
  and(isWordPageOf(ctx, copy), gte(cityDatasetWords.lastWord, from), lt(cityDatasetWords.firstWord, to))

export async function countWordPages(ctx: Ctx, tx: Tx, copy: Copy, range: WordRange): Promise<number> {
  const [counted] = await tx
    .select({ pages: count() })
    .from(cityDatasetWords)
    .where(isWordPageWithin(ctx, copy, range))
  return counted?.pages ?? 0
}
