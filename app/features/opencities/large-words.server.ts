import { and, count, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasetRows, cityDatasetWords } from '#app/server/db/schema.ts'
import { ofCopy } from './copy-columns.server.ts'
import type { DatasetRow } from './datasets.server.ts'
import { MOST_SORTED_ROWS } from './opencities.schema.ts'

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

/** Rows of a large copy, by their positions upwards: all of them counted, and as many named as can be put in order. */
export interface FoundRows {
  total: number
  positions: number[]
}

/** Pages of the list that are looked up; of words that fill more, the lists themselves are compared. */
const FEW_PAGES = 5

/** Which rows of a large copy have all of the words, the last of which may be unfinished. Undefined where there is no word. */
export async function findRows(ctx: Ctx, tx: Tx, copy: Copy, words: readonly string[]): Promise<FoundRows | undefined> {
  const wanted = words.map((word, at) => ({ from: word, to: at === words.length - 1 ? `${word}\u{10FFFF}` : `${word} ` }))
  const pages: number[] = []
  for (const range of wanted) pages.push(await countPages(ctx, tx, copy, range))
  const fewest = Math.min(...pages)
  const rarest = wanted[pages.indexOf(fewest)]
  if (!rarest) return undefined
  const hits =
    fewest > FEW_PAGES
      ? sql.join(
          wanted.map((range) => positionsWith(ctx, copy, range)),
          sql` intersect `,
        )
      : sql`select distinct position from city_dataset_rows where ${and(
          ofCopy(ctx, copy),
          // As a list made once: whatever the database believes of a table that is new, it does not look the words up again for each row.
          sql`position = any (array(${positionsWith(ctx, copy, rarest)}))`,
          ...wanted.filter((range) => range !== rarest).map(isAmongWords),
        )}`
  const { rows } = await tx.execute<{ total: number; positions: number[] }>(sql`
    with hits as (${hits}) select (select count(distinct position)::int from hits) as total,
      array(select distinct position from hits order by position limit ${MOST_SORTED_ROWS}) as positions`)
  return rows[0]
}

/** A condition for these rows of a copy. */
export const atPositions = (positions: readonly number[]): SQL =>
  sql`${cityDatasetRows.position} = any (${`{${positions.join(',')}}`}::integer[])`

interface WordRange {
  from: string
  to: string
}

const positionsWith = (ctx: Ctx, copy: Copy, range: WordRange) => sql`
  select place.position from city_dataset_words, unnest(words, positions) as place (word, position)
  where ${pagesWith(ctx, copy, range)} and place.word >= ${range.from} and place.word < ${range.to}`

const isAmongWords = ({ from, to }: WordRange) =>
  sql`position(${to === `${from} ` ? ` ${from} ` : ` ${from}`} in ' ' || ${cityDatasetRows.words} || ' ') > 0`

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
