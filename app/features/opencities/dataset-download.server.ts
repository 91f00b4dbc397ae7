import { and, asc, sql } from 'drizzle-orm'
import { isAppError } from '#app/lib/app-error.ts'
import { BYTE_ORDER_MARK, type CsvCell, formatCsv } from '#app/lib/csv.ts'
import type { Ctx } from '#app/server/context.ts'
import { cityDatasetRows } from '#app/server/db/schema/opencities.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import type { Cell } from './opencities.schema.ts'
import { isInCopy, listShownColumns } from './copy-columns.server.ts'
import { requirePublishedDataset } from './published-datasets.server.ts'

const ROWS_AT_ONCE = 2000

/** The whole current copy of a published dataset as CSV, streamed row by row. */
export async function serveDatasetFile({
  context,
  params,
  request,
}: {
  context: RequestContext
  params: { slug: string }
  request: Request
}): Promise<Response> {
  const { ctx } = context
  try {
    const { row } = await ctx.db.read((tx) => requirePublishedDataset(ctx, tx, params.slug))
    const columns = listShownColumns(ctx, row)
    const etag = `"${row.id}-${row.version}-${row.lockVersion}-${ctx.language}"`
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${row.slug}.csv"`,
      'cache-control': row.projectId ? 'private, no-cache' : 'public, no-cache',
      'last-modified': (row.synchronisedAt ?? ctx.now()).toUTCString(),
      etag,
    }
    if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers })
    const encoder = new TextEncoder()
    let next = -1
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (next < 0) {
          controller.enqueue(encoder.encode(BYTE_ORDER_MARK + formatCsv([columns.map(({ view }) => view.name.text)])))
          next = 0
          return
        }
        const rows = await loadRows(ctx, row, next)
        if (rows.length === 0 && next < row.rowCount)
          return controller.error(new Error(`The copy of ${row.slug} was replaced during the download`))
        if (rows.length > 0)
          controller.enqueue(encoder.encode(formatCsv(rows.map((cells) => columns.map(({ index }) => toCsvCell(cells[index] ?? null))))))
        next += ROWS_AT_ONCE
        if (next >= row.rowCount) controller.close()
      },
    })
    return new Response(body, { headers })
  } catch (error) {
    if (!isAppError(error)) throw error
    return new Response(getTranslator(ctx.language, 'errors')(`codes.${error.code}`), {
      status: error.status,
      headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'private, no-store' },
    })
  }
}

async function loadRows(ctx: Ctx, row: Awaited<ReturnType<typeof requirePublishedDataset>>['row'], from: number): Promise<Cell[][]> {
  const found = await ctx.db.read((tx) =>
    tx
      .select({ cells: cityDatasetRows.cells })
      .from(cityDatasetRows)
      .where(and(isInCopy(ctx, row), sql`${cityDatasetRows.position} >= ${from} and ${cityDatasetRows.position} < ${from + ROWS_AT_ONCE}`))
      .orderBy(asc(cityDatasetRows.position)),
  )
  return found.map(({ cells }) => cells as Cell[])
}

/** A point is written as people write it: latitude, longitude. */
function toCsvCell(cell: Cell): CsvCell {
  if (Array.isArray(cell)) return `${cell[1]}, ${cell[0]}`
  return typeof cell === 'boolean' ? String(cell) : cell
}
