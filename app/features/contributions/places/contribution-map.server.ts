import { and, eq } from 'drizzle-orm'
import { selectAreaName } from '#app/features/areas/area-names.server.ts'
import { createBoxView } from '#app/features/areas/map/map-view.schema.ts'
import { drawMap, readSiteMap } from '#app/features/areas/map/site-map.server.ts'
import { isPointInside } from '#app/features/areas/polygons.schema.ts'
import { measureBox } from '#app/features/areas/map/map-view.schema.ts'
import { findPin } from '#app/lib/find-pin.ts'
import { type Box, formatBox, type Position } from '#app/lib/geometry.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { drawLayers, type ShownLayer } from '../layers/draw-layers.server.ts'
import type { ContributionRow } from '../record/loading.server.ts'
import { listDrawnPoints, measureGeometry, toSvgPath } from '../record/drawing.schema.ts'
import type { ContributionMapView } from '../record/places.schema.ts'

/** Half of what a small map shows if the site has no areas, in degrees. */
const HALF_SPAN = { lng: 0.02, lat: 0.012 }
/** Half of the box that a link to its neighbours shows. */
const NEARBY = { lng: 0.006, lat: 0.004 }

const boxAround = ([lng, lat]: Position, half: { lng: number; lat: number }): Box => [
  Math.max(lng - half.lng, -180),
  Math.max(lat - half.lat, -90),
  Math.min(lng + half.lng, 180),
  Math.min(lat + half.lat, 90),
]

/** A small map of one contribution: its area and what is around it. Null without a pin. */
export async function drawContributionMap(
  ctx: Ctx,
  { geometry }: Pick<ContributionRow, 'geometry'>,
  layers: readonly ShownLayer[],
): Promise<ContributionMapView | null> {
  if (!geometry) return null
  const pin = findPin(geometry)
  const map = await readSiteMap(ctx)
  const own = map.areas.find(({ rings }) => isPointInside(pin, rings))
  const points = listDrawnPoints(geometry)
  const box = includePoints(own ? measureBox([own]) : boxAround(pin, HALF_SPAN), points)
  const view = createBoxView(box)
  const size = measureGeometry(geometry)
  const outline = toSvgPath(view, geometry)
  const [x, y] = view.spotOf(pin)
  return {
    ...(await drawMap(ctx, map, box, [{ spot: view.spotOf(pin), isPin: true }])),
    ...(layers.length > 0 && { layers: drawLayers(ctx, layers, view) }),
    spot: [Math.round(x), Math.round(y)],
    ...(size && outline && { drawn: { ...size, outline } }),
    box: formatBox(includePoints(boxAround(pin, NEARBY), points)),
  }
}

/** A box that also holds a whole line or area. */
const includePoints = (box: Box, points: readonly Position[]): Box =>
  points.reduce<Box>(
    ([west, south, east, north], [lng, lat]) => [Math.min(west, lng), Math.min(south, lat), Math.max(east, lng), Math.max(north, lat)],
    box,
  )

/** A contribution's place in words: what its author wrote, and its area. */
export async function describePlace(
  ctx: Ctx,
  tx: Tx,
  { placeText, areaId }: Pick<ContributionRow, 'placeText' | 'areaId'>,
): Promise<string> {
  return [placeText, await findAreaName(ctx, tx, areaId)].filter(Boolean).join(', ')
}

export async function findAreaName(ctx: Ctx, tx: Tx, areaId: string | null): Promise<string | null> {
  if (!areaId) return null
  const [area] = await tx
    .select({ name: selectAreaName(ctx) })
    .from(areas)
    .where(and(eq(areas.siteId, ctx.site.id), eq(areas.id, areaId)))
  return area?.name ?? null
}
