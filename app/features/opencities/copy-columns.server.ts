import { and, eq, type SQL } from 'drizzle-orm'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { cityDatasetRows } from '#app/server/db/schema/opencities.ts'
import type { DatasetRow } from './datasets.server.ts'
import type { DatasetColumn } from './opencities.schema.ts'
import type { ColumnView } from './dataset-views.schema.ts'

export const isInCopy = (ctx: Ctx, row: Pick<DatasetRow, 'id' | 'version'>): SQL | undefined =>
  and(eq(cityDatasetRows.siteId, ctx.site.id), eq(cityDatasetRows.datasetId, row.id), eq(cityDatasetRows.version, row.version))

/** The copy's visible columns in display order, each with its index among the cells. */
export function listShownColumns(ctx: Pick<Ctx, 'contentLanguage' | 'site'>, row: DatasetRow): { index: number; view: ColumnView }[] {
  return row.columns
    .filter((column) => column.shown)
    .map((column) => ({ index: row.copiedColumns.findIndex(({ key }) => key === column.key), column }))
    .filter(({ index }) => index >= 0)
    .map(({ index, column }) => ({ index, view: toColumnView(ctx, row, column, index) }))
}

/** A column as people see it, with the type the copy was made with. */
export const toColumnView = (
  ctx: Pick<Ctx, 'contentLanguage' | 'site'>,
  row: DatasetRow,
  column: DatasetColumn,
  index: number,
): ColumnView => {
  const name = localiseText(column.name, ctx.contentLanguage, ctx.site.locale)
  return { id: `c${index}`, name: name.text ? name : { text: column.key }, type: row.copiedColumns[index]?.type ?? column.type }
}
