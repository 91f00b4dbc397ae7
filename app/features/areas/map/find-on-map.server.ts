import { findPlaceInData } from '#app/features/opencities/find-place.server.ts'
import type { Box, Position } from '#app/lib/geometry.ts'
import { toSlug } from '#app/lib/slug.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { findAreaByPostcode } from '../areas.server.ts'
import { widenBox } from './map-boxes.server.ts'
import { measureBox } from './map-view.schema.ts'
import { readSiteMap, type SiteMap } from './site-map.server.ts'

/** The result of a search: an area, or a place in the site's open data. */
export interface FoundOnMap {
  name: string
  /** What to show of the map. */
  box: Box
  areaId?: string
  point?: Position
}

/** What is shown around a single place, in degrees. */
const AROUND = { lng: 0.006, lat: 0.004 }

/** The area of a name or its beginning, or of a postcode; or a place of a published dataset, by its address or name. */
export async function findOnMap(ctx: Ctx, tx: Tx, text: string): Promise<FoundOnMap | undefined> {
  const map = await readSiteMap(ctx)
  const area = await findArea(ctx, tx, map, text)
  if (area) return { name: area.name, areaId: area.id, box: measureBox([area]) }
  const place = await findPlaceInData(ctx, tx, text, map.box)
  if (!place) return undefined
  const [lng, lat] = place.point
  return { ...place, box: widenBox([lng - AROUND.lng, lat - AROUND.lat, lng + AROUND.lng, lat + AROUND.lat]) }
}

async function findArea(ctx: Ctx, tx: Tx, map: SiteMap, text: string) {
  const sought = toSlug(text)
  if (!sought) return undefined
  const named = map.areas.find(({ name }) => toSlug(name) === sought) ?? map.areas.find(({ name }) => toSlug(name).startsWith(sought))
  if (named) return named
  const id = await findAreaByPostcode(ctx, tx, text)
  return map.areas.find((area) => area.id === id)
}
