import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasetCommonWords as common } from '#app/server/db/schema/opencities.ts'
import type { DatasetRow } from './datasets.server.ts'
import { isWordPageOf, selectPositions, toWordRange } from './large-word-index.server.ts'
import { intersectRows, type RowBits } from './row-bits.ts'

type Copy = Pick<DatasetRow, 'id' | 'version'>

/** A word is common if it fills at least this many whole pages of the word list. Rarer words are on few pages and looked up there. */
const MIN_WHOLE_PAGES = 4
/** Rows per batch: the number of bits `bits_at` starts with. */
const BLOCK_ROWS = 8192
/** Nobody types longer words. */
const MAX_WORD_LENGTH = 64

const isInCopy = (ctx: Ctx, { id, version }: Copy) =>
  and(eq(common.siteId, ctx.site.id), eq(common.datasetId, id), eq(common.version, version))

/**
 * Records which rows contain each common word or common beginning of a word. Run it after the word list is written. Beginnings shared by
 * exactly the same words are stored once. The database does the work, one beginning at a time.
 * @param hold called between beginnings
 */
export async function writeCommonWordIndex(ctx: Ctx, copy: Copy & Pick<DatasetRow, 'rowCount'>, hold: () => Promise<void>): Promise<void> {
  const beginnings = await ctx.db.tx(async (tx) => {
    await tx.delete(common).where(isInCopy(ctx, copy))
    // The list is sorted: a beginning shared by a page's first and last word is shared by all its words, and its pages are consecutive.
    const countInPart = (part: string, word: string) => sql`(select count(*) from city_dataset_words, unnest(words) as word
      where ${isWordPageOf(ctx, copy)} and part = ${sql.raw(part)} and starts_with(word || ' ', ${sql.raw(word)}))`
    const { rows } = await tx.execute<{ beginning: string; longest: string }>(sql`
      with candidates as (
        select left(first_word || ' ', length) as beginning, min(part) as first_part, max(part) as last_part
        from city_dataset_words, generate_series(1, least(length(first_word) + 1, ${MAX_WORD_LENGTH}::int)) as length
        where ${isWordPageOf(ctx, copy)} and left(first_word || ' ', length) = left(last_word || ' ', length)
        group by 1 having count(*) >= ${MIN_WHOLE_PAGES}
      )
      select min(beginning) as beginning, max(beginning) as longest from candidates
      group by first_part, last_part, ${countInPart('first_part - 1', 'beginning')}, ${countInPart('last_part + 1', 'beginning')}
      order by 1`)
    return rows
  })
  const blocks = Math.ceil(copy.rowCount / BLOCK_ROWS)
  for (const { beginning, longest } of beginnings) {
    await hold()
    await ctx.db.tx((tx) =>
      tx.execute(sql`
        insert into city_dataset_common_words (site_id, dataset_id, version, beginning, longest, row_bits)
        select ${ctx.site.id}, ${copy.id}, ${copy.version}, ${beginning}, ${longest},
          string_agg(coalesce(bits, decode(repeat('00', ${BLOCK_ROWS / 8}::int), 'hex')), ''::bytea order by block)
        from generate_series(0, ${blocks - 1}::int) as block left join (
          select position / ${BLOCK_ROWS}::int as block, bits_at((position % ${BLOCK_ROWS}::int)::bigint, 1) as bits
          from (${selectPositions(ctx, copy, toWordRange(longest))}) as places group by 1
        ) as found using (block)`),
    )
  }
}

/** Rows with words for all of these beginnings; undefined if one of them is not common. A whole word ends in a space. */
export async function findCommonRows(ctx: Ctx, tx: Tx, copy: Copy, beginnings: readonly string[]): Promise<RowBits | undefined> {
  const shorter = beginnings.flatMap((one) => {
    const letters = Array.from(one)
    return letters.map((_, at) => letters.slice(0, at + 1).join(''))
  })
  if (shorter.length === 0) return undefined
  const known = await tx
    .select({ beginning: common.beginning, longest: common.longest })
    .from(common)
    .where(and(isInCopy(ctx, copy), inArray(common.beginning, shorter)))
  const found = beginnings.map((one) => known.find(({ beginning, longest }) => one.startsWith(beginning) && longest.startsWith(one)))
  if (found.includes(undefined)) return undefined
  const rows = await tx
    .select({ bits: common.rowBits })
    .from(common)
    .where(and(isInCopy(ctx, copy), inArray(common.beginning, [...new Set(found.flatMap((one) => one?.beginning ?? []))])))
  return intersectRows(rows.map(({ bits }) => bits))
}
