import { and, asc, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasetRows } from '#app/server/db/schema/opencities.ts'
import { type Cell, ROWS_PER_PAGE } from './opencities.schema.ts'
import { isInCopy, listShownColumns } from './copy-columns.server.ts'
import type { DatasetRow } from './datasets.server.ts'
import { isLargeCopy, loadOrderedRows } from './large-copy-order.server.ts'
import { isAtPositions, findMatchingRows } from './large-search.server.ts'
import { requirePublishedDataset, toDatasetTeaser } from './published-datasets.server.ts'
import { MAX_PLACES, readChart, readMap } from './dataset-drawings.server.ts'
import type { DatasetSearch, DatasetView } from './dataset-views.schema.ts'
import { parseSearchWords } from './search-words.ts'

const FEW_ROWS = 5000

/**
 * A published dataset with one page of its table; the database searches and sorts.
 * @throws {AppError} `not-found`, also if the viewer may not see its project
 */
export function getDataset(ctx: Ctx, input: { slug: string; search: DatasetSearch }): Promise<DatasetView> {
  return ctx.db.read(async (tx) => {
    const { row, project } = await requirePublishedDataset(ctx, tx, input.slug)
    const large = isLargeCopy(row.rowCount)
    const shown = listShownColumns(ctx, row)
    const words = parseSearchWords(input.search.q ?? '')
    const found = large ? await findMatchingRows(ctx, tx, row, words) : undefined
    const searched = large ? found !== undefined : words.length > 0
    const every = isInCopy(ctx, row)
    const where = and(every, ...(large ? [] : words.map((word) => sql`position(${word} in ${cityDatasetRows.words}) > 0`)))
    const total = found ? found.total : searched ? await countRows(tx, where) : row.rowCount
    const pages = Math.max(1, Math.ceil((found ? found.positions.length : total) / ROWS_PER_PAGE))
    const page = Math.min(input.search.page ?? 1, pages)
    // Matches in a large table are only sorted if they are not many themselves.
    const sort = searched && isLargeCopy(total) ? undefined : shown.find(({ view }) => view.id === input.search.sort?.replace(/^-/, ''))
    const descending = input.search.sort?.startsWith('-') ?? false
    const order = sort && { index: sort.index, descending }
    const loadFoundPage = (positions: readonly number[]) => {
      if (order)
        return loadPage(ctx, tx, row, { where: and(every, isAtPositions(positions)), searched, among: positions, sort: order, page })
      const first = (page - 1) * ROWS_PER_PAGE
      return loadPage(ctx, tx, row, { where: and(every, isAtPositions(positions.slice(first, first + ROWS_PER_PAGE))), searched, page: 1 })
    }
    const cells = await (found ? loadFoundPage(found.positions) : loadPage(ctx, tx, row, { where, searched, sort: order, page }))
    return {
      ...toDatasetTeaser(ctx, { row, project }),
      ...toDates(ctx, row),
      columns: shown.map(({ view }) => view),
      table: cells.map((row) => shown.map(({ index }) => row[index] ?? null)),
      total,
      page,
      pages,
      search: toAppliedSearch(input.search, { searched, sorted: sort !== undefined, page }),
      chart: await readChart(ctx, tx, row),
      map: await readMap(ctx, tx, row, found ? and(every, isAtPositions(found.positions.slice(0, MAX_PLACES))) : where, cells),
      now: ctx.now().toISOString(),
    }
  })
}

const toDates = ({ now }: Ctx, { sourceUpdatedAt, checkedAt, synchronisedAt }: DatasetRow) => ({
  sourceUpdatedAt: sourceUpdatedAt?.toISOString() ?? null,
  checkedAt: (checkedAt ?? synchronisedAt ?? now()).toISOString(),
})

/** The search as it was carried out, without what had no effect. */
const toAppliedSearch = (
  { q, sort }: DatasetSearch,
  { searched, sorted, page }: { searched: boolean; sorted: boolean; page: number },
): DatasetSearch => ({
  ...(searched && q ? { q } : {}),
  ...(sorted && sort ? { sort } : {}),
  ...(page > 1 ? { page } : {}),
})

interface RowsQuery {
  where: SQL | undefined
  searched: boolean
  /** The matching positions of a search in a large copy. */
  among?: readonly number[] | undefined
  /** Index of the cell to sort by. */
  sort?: { index: number; descending: boolean } | undefined
  page: number
}

async function loadPage(ctx: Ctx, tx: Tx, row: DatasetRow, { where, searched, among, sort, page }: RowsQuery): Promise<Cell[][]> {
  const first = (page - 1) * ROWS_PER_PAGE
  const column = sort && row.copiedColumns[sort.index]
  // Sorting a few rows directly is faster than finding them in the stored order.
  if (sort && column && isLargeCopy(row.rowCount) && (!searched || (among && among.length > FEW_ROWS)))
    return loadOrderedRows(ctx, tx, row, { key: column.key, descending: sort.descending, among }, { first, size: ROWS_PER_PAGE })
  const inOrder = !searched && !sort
  const found = await tx
    .select({ cells: cityDatasetRows.cells })
    .from(cityDatasetRows)
    // Without a search, positions give the page directly: no earlier rows are read.
    .where(
      inOrder ? and(where, sql`${cityDatasetRows.position} >= ${first} and ${cityDatasetRows.position} < ${first + ROWS_PER_PAGE}`) : where,
    )
    .orderBy(
      ...(sort
        ? [
            sql`nullif(${cityDatasetRows.cells} -> ${sql.raw(String(sort.index))}, 'null') ${sql.raw(sort.descending ? 'desc' : 'asc')} nulls last`,
          ]
        : []),
      asc(cityDatasetRows.position),
    )
    .limit(ROWS_PER_PAGE)
    .offset(inOrder ? 0 : first)
  return found.map((one) => one.cells as Cell[])
}

async function countRows(tx: Tx, where: SQL | undefined): Promise<number> {
  const [counted] = await tx
    .select({ total: sql<number>`count(*)::int` })
    .from(cityDatasetRows)
    .where(where)
  return counted?.total ?? 0
}
