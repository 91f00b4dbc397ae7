import { and, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasetRows } from '#app/server/db/schema/opencities.ts'
import { findCommonRows } from './common-word-index.server.ts'
import { isInCopy } from './copy-columns.server.ts'
import type { DatasetRow } from './datasets.server.ts'
import { countWordPages, selectPositions, toWordRange, type WordRange } from './large-word-index.server.ts'
import { MAX_SORTED_ROWS } from './opencities.schema.ts'
import { countRows, toPositions } from './row-bits.ts'

type Copy = Pick<DatasetRow, 'id' | 'version'>

/** Matches in a large copy: the full count, and as many positions, ascending, as can be sorted. */
export interface MatchingRows {
  total: number
  positions: number[]
}

/** Rows of a large copy that contain all of the words; the last may be incomplete. Undefined if there are no words. */
export async function findMatchingRows(ctx: Ctx, tx: Tx, copy: Copy, words: readonly string[]): Promise<MatchingRows | undefined> {
  const beginnings = words.map((word, at) => (at === words.length - 1 ? word : `${word} `))
  const common = await findCommonRows(ctx, tx, copy, beginnings)
  if (common) return { total: countRows(common), positions: toPositions(common, MAX_SORTED_ROWS) }
  const wanted = beginnings.map(toWordRange)
  const pages: number[] = []
  for (const range of wanted) pages.push(await countWordPages(ctx, tx, copy, range))
  const rarest = wanted[pages.indexOf(Math.min(...pages))]
  if (!rarest) return undefined
  const { rows } = await tx.execute<{ total: number; positions: number[] }>(sql`
    with hits as (
      select distinct position from city_dataset_rows where ${and(
        isInCopy(ctx, copy),
        // An array built once: with bad statistics for a new table, the planner would otherwise look the words up again for each row.
        sql`position = any (array(${selectPositions(ctx, copy, rarest)}))`,
        ...wanted.filter((range) => range !== rarest).map(hasWordInRange),
      )}
    ) select (select count(*)::int from hits) as total,
      array(select position from hits order by position limit ${MAX_SORTED_ROWS}) as positions`)
  return rows[0]
}

export const isAtPositions = (positions: readonly number[]): SQL =>
  sql`${cityDatasetRows.position} = any (${`{${positions.join(',')}}`}::integer[])`

const hasWordInRange = ({ from, to }: WordRange) =>
  sql`position(${to === `${from} ` ? ` ${from} ` : ` ${from}`} in ' ' || ${cityDatasetRows.words} || ' ') > 0`
