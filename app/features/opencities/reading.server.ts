import { and, asc, type SQL, sql } from 'drizzle-orm'
import { foldText } from '#app/lib/fold.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityDatasetRows } from '#app/server/db/schema.ts'
import { type Cell, MOST_SORTED_ROWS, ROWS_PER_PAGE } from './opencities.schema.ts'
import { ofCopy, shownColumns } from './copy-columns.server.ts'
import { findPublished, teaser } from './published.server.ts'
import { readChart, readMap } from './reading.drawings.server.ts'
import type { DatasetSearch, DatasetView } from './reading.schema.ts'

/**
 * A published dataset with one page of its table. Searching and sorting are left out where the table is too large for them.
 * @throws {AppError} `not-found`, also where its project may not be seen
 */
export function getDataset(ctx: Ctx, input: { slug: string; search: DatasetSearch }): Promise<DatasetView> {
  return ctx.db.tx(async (tx) => {
    const { row, project } = await findPublished(ctx, tx, input.slug)
    const searchable = row.rowCount <= MOST_SORTED_ROWS
    const shown = shownColumns(ctx, row)
    const words = searchable
      ? foldText(input.search.q ?? '')
          .split(' ')
          .filter(Boolean)
          .slice(0, 8)
      : []
    const where = and(ofCopy(ctx, row), ...words.map((word) => sql`position(${word} in ${cityDatasetRows.words}) > 0`))
    const total = words.length ? await countRows(tx, where) : row.rowCount
    const pages = Math.max(1, Math.ceil(total / ROWS_PER_PAGE))
    const page = Math.min(input.search.page ?? 1, pages)
    const first = (page - 1) * ROWS_PER_PAGE
    const sort = searchable ? shown.find(({ view }) => view.id === input.search.sort?.replace(/^-/, '')) : undefined
    const direction = sql.raw(input.search.sort?.startsWith('-') ? 'desc' : 'asc')
    const inOrder = !words.length && !sort
    const found = await tx
      .select({ cells: cityDatasetRows.cells })
      .from(cityDatasetRows)
      // Without a search the position itself is the page: no row before it is read.
      .where(
        inOrder
          ? and(where, sql`${cityDatasetRows.position} >= ${first} and ${cityDatasetRows.position} < ${first + ROWS_PER_PAGE}`)
          : where,
      )
      .orderBy(
        ...(sort ? [sql`nullif(${cityDatasetRows.cells} -> ${sql.raw(String(sort.index))}, 'null') ${direction} nulls last`] : []),
        asc(cityDatasetRows.position),
      )
      .limit(ROWS_PER_PAGE)
      .offset(inOrder ? 0 : first)
    const cells = found.map((one) => one.cells as Cell[])
    const seen: DatasetSearch = {
      ...(words.length && input.search.q ? { q: input.search.q } : {}),
      ...(sort && input.search.sort ? { sort: input.search.sort } : {}),
      ...(page > 1 ? { page } : {}),
    }
    return {
      ...teaser(ctx, { row, project }),
      sourceUpdatedAt: row.sourceUpdatedAt?.toISOString() ?? null,
      checkedAt: (row.checkedAt ?? row.synchronisedAt ?? ctx.now()).toISOString(),
      columns: shown.map(({ view }) => view),
      table: cells.map((row) => shown.map(({ index }) => row[index] ?? null)),
      total,
      page,
      pages,
      search: seen,
      searchable,
      chart: searchable ? await readChart(ctx, tx, row) : null,
      map: await readMap(ctx, tx, row, where, cells),
      now: ctx.now().toISOString(),
    }
  })
}

async function countRows(tx: Tx, where: SQL | undefined): Promise<number> {
  const [counted] = await tx
    .select({ total: sql<number>`count(*)::int` })
    .from(cityDatasetRows)
    .where(where)
  return counted?.total ?? 0
}
