export type Point = readonly [longitude: number, latitude: number]
/** Closed lines. Even-odd rule: a point inside an odd number of rings is inside the shape, which covers holes and islands. */
export type Rings = Point[][]

const MAX_CORNERS = 4000
const COORDINATE_PRECISION = 1e6

/** Parses a shape from a source's value: GeoJSON (also as text) or Esri JSON; undefined if it has no area. */
export function parseRings(value: unknown): Rings | undefined {
  if (typeof value === 'string') {
    if (!value.startsWith('{')) return undefined
    try {
      return parseRings(JSON.parse(value) as unknown)
    } catch {
      return undefined
    }
  }
  if (typeof value !== 'object' || value === null) return undefined
  const shape = value as { type?: unknown; geometry?: unknown; coordinates?: unknown; rings?: unknown }
  if (shape.type === 'Feature') return parseRings(shape.geometry)
  const lists =
    shape.type === 'Polygon'
      ? toList(shape.coordinates)
      : shape.type === 'MultiPolygon'
        ? toList(shape.coordinates).flatMap(toList)
        : toList(shape.rings)
  const rings = lists.map(parseRing).filter((ring) => ring.length >= 3)
  return rings.length > 0 ? rings : undefined
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : [])

/** Thins a ring to at most the corners needed to tell which ward a house is in. */
function parseRing(value: unknown): Point[] {
  const corners = toList(value).flatMap((corner): Point[] => {
    const [x, y] = toList(corner)
    const isOnEarth = typeof x === 'number' && typeof y === 'number' && Math.abs(x) <= 180 && Math.abs(y) <= 90
    return isOnEarth
      ? [[Math.round(x * COORDINATE_PRECISION) / COORDINATE_PRECISION, Math.round(y * COORDINATE_PRECISION) / COORDINATE_PRECISION]]
      : []
  })
  const every = Math.ceil(corners.length / MAX_CORNERS)
  return every > 1 ? corners.filter((_, index) => index % every === 0) : corners
}

/** Ray casting: counts the edges crossed by a ray to the east. */
export function isPointInside([x, y]: Point, rings: Rings): boolean {
  let inside = false
  for (const ring of rings) {
    let [fromX, fromY] = ring.at(-1) ?? [0, 0]
    for (const [toX, toY] of ring) {
      // Include one end of the edge but not the other, so that a corner counts once.
      if (fromY > y !== toY > y && x < ((toX - fromX) * (y - fromY)) / (toY - fromY) + fromX) inside = !inside
      ;[fromX, fromY] = [toX, toY]
    }
  }
  return inside
}
