import { and, count, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasetRows, cityDatasetWords } from '#app/server/db/schema.ts'
import type { DatasetRow } from './datasets.server.ts'

type Copy = Pick<DatasetRow, 'id' | 'version'>

/** Places of the list of words that are kept together. */
const PART = 2000

/**
 * Writes down which words stand in which rows of a copy, in the order of the words. An index of words would not do: below row-level security
 * PostgreSQL looks into an index by plain comparisons alone. The database does the sorting.
 */
export async function makeWords(ctx: Ctx, { id, version }: Copy): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await tx.execute(sql`delete from city_dataset_words where site_id = ${ctx.site.id} and dataset_id = ${id} and version = ${version}`)
    await tx.execute(sql`
      insert into city_dataset_words (site_id, dataset_id, version, part, first_word, last_word, words, positions)
      select ${ctx.site.id}, ${id}, ${version}, (place - 1) / ${PART}::int, min(word), max(word),
        array_agg(word order by place), array_agg(position order by place)
      from (
        select word collate "C" as word, position, row_number() over (order by word collate "C", position) as place
        from city_dataset_rows, string_to_table(words, ' ') as word
        where site_id = ${ctx.site.id} and dataset_id = ${id} and version = ${version} and words <> ''
      ) as sorted group by 4`)
  })
}

/**
 * Which rows of a large copy have all of the words, the last of which may be unfinished: the rarest of them is looked up, the others are
 * looked for in its rows.
 */
export async function rowsWithWords(ctx: Ctx, tx: Tx, copy: Copy, words: readonly string[]): Promise<SQL | undefined> {
  const wanted = words.map((word, at) => ({ from: word, to: at === words.length - 1 ? `${word}\u{10FFFF}` : `${word} ` }))
  const pages = await Promise.all(wanted.map((range) => countPages(ctx, tx, copy, range)))
  const rarest = wanted[pages.indexOf(Math.min(...pages))]
  if (!rarest) return undefined
  // As a list made once: whatever the database believes of a table that is new, it does not look the words up again for each row.
  const found = sql`${cityDatasetRows.position} = any (array(
    select place.position from ${cityDatasetWords}, unnest(${cityDatasetWords.words}, ${cityDatasetWords.positions}) as place (word, position)
    where ${pagesWith(ctx, copy, rarest)} and place.word >= ${rarest.from} and place.word < ${rarest.to}))`
  const others = wanted.filter((range) => range !== rarest)
  const have = others.map(({ from, to }) => {
    const whole = to === `${from} `
    return sql`position(${whole ? ` ${from} ` : ` ${from}`} in ' ' || ${cityDatasetRows.words} || ' ') > 0`
  })
  return and(found, ...have)
}

interface WordRange {
  from: string
  to: string
}

const pagesWith = (ctx: Ctx, { id, version }: Copy, { from, to }: WordRange) =>
  and(
    eq(cityDatasetWords.siteId, ctx.site.id),
    eq(cityDatasetWords.datasetId, id),
    eq(cityDatasetWords.version, version),
    gte(cityDatasetWords.lastWord, from),
    lt(cityDatasetWords.firstWord, to),
  )

async function countPages(ctx: Ctx, tx: Tx, copy: Copy, range: WordRange): Promise<number> {
  const [counted] = await tx
    .select({ pages: count() })
    .from(cityDatasetWords)
    .where(pagesWith(ctx, copy, range))
  return counted?.pages ?? 0
}
