import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasetOrders, cityDatasetRows } from '#app/server/db/schema/opencities.ts'
import type { DatasetRow } from './datasets.server.ts'
import { type Cell, type CopiedColumn, MAX_SORTED_ROWS } from './opencities.schema.ts'
import { toRowBits, hasRow } from './row-bits.ts'

type Copy = Pick<DatasetRow, 'id' | 'version'>

/** Positions stored together in one row. */
const POSITIONS_PER_PART = 1000
/** Places scanned at a time. */
const POSITIONS_PER_SCAN = 20 * POSITIONS_PER_PART

/** True if a copy is too large to be sorted, searched or summed for each page view. */
export const isLargeCopy = (rows: number): boolean => rows > MAX_SORTED_ROWS

/** Stores the sort order of a copy's rows by one column, so that any page of it can be found at once. The database does the sorting. */
export async function writeSortOrder(ctx: Ctx, { id, version }: Copy, { key, type }: CopiedColumn, index: number): Promise<void> {
  if (type === 'place') return
  const cell = sql`nullif(cells -> ${sql.raw(String(index))}, 'null')`
  await ctx.db.tx(async (tx) => {
    await tx.execute(sql`delete from city_dataset_orders
      where site_id = ${ctx.site.id} and dataset_id = ${id} and version = ${version} and key = ${key}`)
    await tx.execute(sql`
      insert into city_dataset_orders (site_id, dataset_id, version, key, part, positions, filled)
      select ${ctx.site.id}, ${id}, ${version}, ${key}, (place - 1) / ${POSITIONS_PER_PART}::int, array_agg(position order by place), max(filled) from (
        select position, row_number() over (order by ${cell} nulls last, position) as place, count(${cell}) over () as filled
        from city_dataset_rows where site_id = ${ctx.site.id} and dataset_id = ${id} and version = ${version}
      ) as sorted group by 5`)
  })
}

/** How to sort a large copy: by which column, and which rows if not all. */
interface LargeOrder {
  key: string
  descending: boolean
  among: readonly number[] | undefined
}

/** One page of a large copy, sorted by a column. @param page.first counted from 0 */
export async function loadOrderedRows(
  ctx: Ctx,
  tx: Tx,
  row: Pick<DatasetRow, 'id' | 'version' | 'rowCount'>,
  { key, descending, among }: LargeOrder,
  page: { first: number; size: number },
): Promise<Cell[][]> {
  const ofOrder = and(
    eq(cityDatasetOrders.siteId, ctx.site.id),
    eq(cityDatasetOrders.datasetId, row.id),
    eq(cityDatasetOrders.version, row.version),
    eq(cityDatasetOrders.key, key),
  )
  const [start] = await tx
    .select({ filled: cityDatasetOrders.filled })
    .from(cityDatasetOrders)
    .where(and(ofOrder, eq(cityDatasetOrders.part, 0)))
  if (!start) return []
  /** The positions of the rows at these places, counted from 0. */
  const loadPositions = async (first: number, size: number): Promise<number[]> => {
    // Descending is the same order read from the end; empty cells stay last.
    const places = Array.from({ length: Math.max(0, Math.min(size, row.rowCount - first)) }, (_, at) => first + at).map((place) =>
      descending && place < start.filled ? start.filled - 1 - place : place,
    )
    const parts = await tx
      .select({ part: cityDatasetOrders.part, positions: cityDatasetOrders.positions })
      .from(cityDatasetOrders)
      .where(and(ofOrder, inArray(cityDatasetOrders.part, [...new Set(places.map((place) => Math.floor(place / POSITIONS_PER_PART)))])))
    const positionsOf = new Map(parts.map(({ part, positions }) => [part, positions]))
    return places.flatMap((place) => positionsOf.get(Math.floor(place / POSITIONS_PER_PART))?.[place % POSITIONS_PER_PART] ?? [])
  }
  let positions: number[] = []
  if (among) {
    const wanted = toRowBits(among, row.rowCount)
    const enough = page.first + page.size
    for (let place = 0; place < row.rowCount && positions.length < enough; place += POSITIONS_PER_SCAN) {
      for (const position of await loadPositions(place, POSITIONS_PER_SCAN)) if (hasRow(wanted, position)) positions.push(position)
    }
    positions = positions.slice(page.first, enough)
  } else positions = await loadPositions(page.first, page.size)
  if (positions.length === 0) return []
  const found = await tx
    .select({ position: cityDatasetRows.position, cells: cityDatasetRows.cells })
    .from(cityDatasetRows)
    .where(
      and(
        eq(cityDatasetRows.siteId, ctx.site.id),
        eq(cityDatasetRows.datasetId, row.id),
        eq(cityDatasetRows.version, row.version),
        inArray(cityDatasetRows.position, positions),
      ),
    )
  const cellsOf = new Map(found.map(({ position, cells }) => [position, cells as Cell[]]))
  return positions.flatMap((position) => {
    const cells = cellsOf.get(position)
    return cells ? [cells] : []
  })
}
