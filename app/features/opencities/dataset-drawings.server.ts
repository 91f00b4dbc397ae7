import { and, type SQL, sql } from 'drizzle-orm'
import { widenBox } from '#app/features/areas/map/map-boxes.server.ts'
import { createBoxView, measureBox } from '#app/features/areas/map/map-view.schema.ts'
import { drawMap, readSiteMap, type SiteMap } from '#app/features/areas/map/site-map.server.ts'
import { isPointInside } from '#app/features/areas/polygons.schema.ts'
import type { Box, Position } from '#app/lib/geometry.ts'
import type { Spot } from '#app/lib/map-picture.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { DatasetRow, ChartSums } from './datasets.server.ts'
import type { Cell, DatasetChart } from './opencities.schema.ts'
import { toColumnView, isInCopy } from './copy-columns.server.ts'
import { isLargeCopy } from './large-copy-order.server.ts'
import type { ChartView, MapView } from './dataset-views.schema.ts'

/** Nobody can read more bars or points than this. */
const MAX_BARS = 30
const MAX_POINTS = 400
export const MAX_PLACES = 1000
/** Of a map, around its points. */
const MARGIN = 0.06

/** A dataset's chart: values with the same label are added up, ordered by time if the label is a date, otherwise as in the source. */
export async function readChart(ctx: Ctx, tx: Tx, row: DatasetRow): Promise<ChartView | null> {
  const columns = findChartColumns(ctx, row)
  if (!columns) return null
  const isKept = row.drawn !== null && isForChart(row.drawn, columns.chart)
  // Large copies are summed when they are made and when their chart changes, never while somebody waits for a page.
  const sums = isKept ? row.drawn : isLargeCopy(row.rowCount) ? null : await computeChartSums(ctx, tx, row)
  if (!sums || sums.points.length === 0) return null
  return {
    form: columns.chart.form,
    label: columns.label.view,
    values: columns.values.view,
    points: sums.points,
    more: Math.max(0, sums.groups - sums.points.length),
  }
}

export const isForChart = (sums: ChartSums, chart: DatasetChart) =>
  sums.form === chart.form && sums.label === chart.label && sums.values === chart.values

/** The chart data of a copy; null if the copy lacks the columns for it. */
export async function computeChartSums(ctx: Ctx, tx: Tx, row: DatasetRow): Promise<ChartSums | null> {
  const columns = findChartColumns(ctx, row)
  if (!columns) return null
  const { chart, label, values } = columns
  const [name, value] = [sql.raw(String(label.index)), sql.raw(String(values.index))]
  const isTime = ['year', 'date', 'moment'].includes(label.view.type)
  const { rows } = await tx.execute<{ label: Cell; value: number; groups: number }>(sql`
    select cells -> ${name} as label, sum((cells ->> ${value})::numeric)::float8 as value, (count(*) over ())::int as groups
    from city_dataset_rows
    where ${isInCopy(ctx, row)} and jsonb_typeof(cells -> ${value}) = 'number' and cells -> ${name} <> 'null'
    group by cells -> ${name}
    order by ${isTime ? sql`cells -> ${name}` : sql`min(position)`} limit ${chart.form === 'line' ? MAX_POINTS : MAX_BARS}`)
  return { ...chart, points: rows.map((one) => ({ label: one.label, value: one.value })), groups: rows[0]?.groups ?? 0 }
}

function findChartColumns(ctx: Ctx, row: DatasetRow) {
  const { chart } = row
  if (!chart) return null
  const [label, values] = [chart.label, chart.values].map((key) => {
    const index = row.copiedColumns.findIndex((column) => column.key === key)
    const column = row.columns.find((one) => one.key === key)
    return index >= 0 && column ? { index, view: toColumnView(ctx, row, column, index) } : undefined
  })
  return label && values ? { chart, label, values } : null
}

/** The points of all matching rows, starting with those of the current page. */
export async function readMap(
  ctx: Ctx,
  tx: Tx,
  row: DatasetRow,
  where: SQL | undefined,
  cells: readonly Cell[][],
): Promise<MapView | null> {
  const index = row.copiedColumns.findIndex(
    ({ key, type }) => type === 'place' && row.columns.some((column) => column.key === key && column.shown),
  )
  if (index < 0) return null
  const place = sql.raw(String(index))
  const { rows } = await tx.execute<{ point: [number, number] }>(sql`
    select cells -> ${place} as point from city_dataset_rows
    where ${and(where, sql`jsonb_typeof(cells -> ${place}) = 'array'`)} order by position limit ${MAX_PLACES}`)
  if (rows.length === 0) return null
  return drawPoints(
    ctx,
    await readSiteMap(ctx),
    rows.map(({ point }) => point),
    cells.map((row) => (Array.isArray(row[index]) ? row[index] : undefined)),
  )
}

async function drawPoints(
  ctx: Ctx,
  map: SiteMap,
  points: readonly Position[],
  ofRows: readonly (Position | undefined)[],
): Promise<MapView> {
  // Areas with a numbered point are shown whole, so that they can be recognised.
  const touched = map.areas.filter(({ rings }) => ofRows.some((point) => point && isPointInside(point, rings)))
  const box = addMargin(measureBox([{ name: '', rings: [[...points]] }, ...touched]))
  const { spotOf } = createBoxView(box)
  const toSpot = (point: Position): Spot => {
    const [x, y] = spotOf(point)
    return [Math.round(x), Math.round(y)]
  }
  const numbered = ofRows.map((point) => (point ? toSpot(point) : null))
  return {
    background: await drawMap(
      ctx,
      map,
      box,
      numbered.flatMap((spot) => (spot ? [{ spot }] : [])),
    ),
    points: points.map(toSpot),
    ofRows: numbered,
  }
}

/** So that no point lies on the edge. */
function addMargin([west, south, east, north]: Box): Box {
  const [wide, high] = [(east - west) * MARGIN, (north - south) * MARGIN]
  return widenBox([west - wide, south - high, east + wide, north + high])
}
