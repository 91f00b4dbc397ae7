import { and, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasetRows } from '#app/server/db/schema.ts'
import { findCommon } from './common-words.server.ts'
import { ofCopy } from './copy-columns.server.ts'
import type { DatasetRow } from './datasets.server.ts'
import { countPages, positionsWith, rangeOf, type WordRange } from './large-words.server.ts'
import { MOST_SORTED_ROWS } from './opencities.schema.ts'
import { countRows, positionsOf } from './row-bits.ts'

type Copy = Pick<DatasetRow, 'id' | 'version'>

/** Rows of a large copy, by their positions upwards: all of them counted, and as many named as can be put in order. */
export interface FoundRows {
  total: number
  positions: number[]
}

/** Which rows of a large copy have all of the words, the last of which may be unfinished. Undefined where there is no word. */
export async function findRows(ctx: Ctx, tx: Tx, copy: Copy, words: readonly string[]): Promise<FoundRows | undefined> {
  const beginnings = words.map((word, at) => (at === words.length - 1 ? word : `${word} `))
  const common = await findCommon(ctx, tx, copy, beginnings)
  if (common) return { total: countRows(common), positions: positionsOf(common, MOST_SORTED_ROWS) }
  const wanted = beginnings.map(rangeOf)
  const pages: number[] = []
  for (const range of wanted) pages.push(await countPages(ctx, tx, copy, range))
  const rarest = wanted[pages.indexOf(Math.min(...pages))]
  if (!rarest) return undefined
  const { rows } = await tx.execute<{ total: number; positions: number[] }>(sql`
    with hits as (
      select distinct position from city_dataset_rows where ${and(
        ofCopy(ctx, copy),
        // As a list made once: whatever the database believes of a table that is new, it does not look the words up again for each row.
        sql`position = any (array(${positionsWith(ctx, copy, rarest)}))`,
        ...wanted.filter((range) => range !== rarest).map(isAmongWords),
      )}
    ) select (select count(*)::int from hits) as total,
      array(select position from hits order by position limit ${MOST_SORTED_ROWS}) as positions`)
  return rows[0]
}

/** A condition for these rows of a copy. */
export const atPositions = (positions: readonly number[]): SQL =>
  sql`${cityDatasetRows.position} = any (${`{${positions.join(',')}}`}::integer[])`

const isAmongWords = ({ from, to }: WordRange) =>
  sql`position(${to === `${from} ` ? ` ${from} ` : ` ${from}`} in ' ' || ${cityDatasetRows.words} || ' ') > 0`
