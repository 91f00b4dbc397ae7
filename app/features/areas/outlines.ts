import { isInDegrees } from '#app/lib/geometry.ts'
import type { Fault } from '#app/lib/app-error.ts'
import { isCrossing } from './files/find-crossing.ts'
import { isPointInside, type Rings } from './polygons.schema.ts'

export const MAX_OUTLINE_CORNERS = 10_000

/** An area's outline as GeoJSON (RFC 7946). */
export type Outline = { type: 'Polygon'; coordinates: [number, number][][] } | { type: 'MultiPolygon'; coordinates: [number, number][][][] }

/** Rings as GeoJSON has them: each outer ring with its holes. */
export function buildOutline(rings: Rings): Outline {
  const closed = rings.map((ring) => {
    const [first, last] = [ring[0], ring.at(-1)]
    const isOpen = first && last && (first[0] !== last[0] || first[1] !== last[1])
    return (isOpen ? [...ring, first] : ring).map(([lng, lat]): [number, number] => [lng, lat])
  })
  const around = closed.map((ring) => closed.filter((other) => other !== ring && ring[0] && isPointInside(ring[0], [other])))
  const polygons = closed.flatMap((ring, at) => {
    if ((around[at]?.length ?? 0) % 2 === 1) return []
    const depth = around[at]?.length ?? 0
    const holes = closed.filter((_, other) => around[other]?.length === depth + 1 && around[other].includes(ring))
    return [[ring, ...holes]]
  })
  const [only] = polygons
  return polygons.length === 1 && only ? { type: 'Polygon', coordinates: only } : { type: 'MultiPolygon', coordinates: polygons }
}

/** @returns the fault if they are not an area */
export function parseOutline({ type, coordinates }: Outline): { rings: Rings } | { fault: Omit<Fault, 'pointer'> } {
  const rings = (type === 'Polygon' ? coordinates : coordinates.flat()).map((ring) => [...ring])
  if (rings.length === 0 || rings.some((ring) => new Set(ring.map((corner) => corner.join())).size < 3))
    return { fault: { code: 'too-few', values: { min: 3 } } }
  if (rings.flat().length > MAX_OUTLINE_CORNERS) return { fault: { code: 'too-many', values: { max: MAX_OUTLINE_CORNERS } } }
  if (!rings.flat().every(([lng, lat]) => isInDegrees([lng, lat, lng, lat]))) return { fault: { code: 'layer-not-degrees' } }
  return rings.some(isCrossing) ? { fault: { code: 'self-crossing' } } : { rings }
}
