import type { Box } from '#app/lib/geometry.ts'
import { isPointInside, type Point } from './polygons.schema.ts'

/** The site's areas, simplified for drawing. */
export interface AreaMap {
  areas: { name: string; rings: Point[][] }[]
  /** What the site's map of streets covers, if it has one. */
  streets?: Box | undefined
}

/** True if there is something to point at. */
export const isDrawable = ({ areas, streets }: AreaMap): boolean => areas.length > 0 || streets !== undefined

/** Areas that the map of streets leaves out, for the most part or at all; none if there is no such map. */
export interface UncoveredAreas {
  whole: string[]
  partly: string[]
}

/** About 200 metres: what lies just beyond a map's edge is seen on it. */
const EDGE_DEGREES = 0.002

/** Which areas reach beyond the map of streets: people there have no street to put a pin on. */
export function findUncovered({ areas, streets }: AreaMap): UncoveredAreas {
  if (!streets) return { whole: [], partly: [] }
  const [west, south, east, north] = streets
  const isCovered = ([lng, lat]: Point) =>
    lng > west - EDGE_DEGREES && lng < east + EDGE_DEGREES && lat > south - EDGE_DEGREES && lat < north + EDGE_DEGREES
  const counted = areas.map(({ name, rings }) => {
    const corners = rings.flat()
    // The map may lie within a large area.
    const holdsMap = isPointInside([(west + east) / 2, (south + north) / 2], rings)
    return { name, all: corners.length, covered: corners.filter(isCovered).length, holdsMap }
  })
  return {
    whole: counted.filter(({ covered, holdsMap }) => covered === 0 && !holdsMap).map(({ name }) => name),
    partly: counted.filter(({ all, covered, holdsMap }) => covered < all && (covered > 0 || holdsMap)).map(({ name }) => name),
  }
}

/** Corners are snapped to a grid of this many steps across the whole map; corners that coincide are merged. */
const GRID_STEPS = 900

/** Drops corners that could not be told apart when all areas are in view. */
export function simplifyAreas<Area extends AreaMap['areas'][number]>(areas: readonly Area[]): Area[] {
  const all = areas.flatMap(({ rings }) => rings.flat())
  const measureSpan = (axis: 0 | 1) => {
    const values = all.map((point) => point[axis])
    return (
      values.reduce((most, value) => Math.max(most, value), -Infinity) - values.reduce((least, value) => Math.min(least, value), Infinity)
    )
  }
  const step = Math.max(measureSpan(0), measureSpan(1)) / GRID_STEPS
  const snapToGrid = (value: number) => Number((Math.round(value / step) * step).toFixed(5))
  const simplifyRing = (ring: readonly Point[]) => {
    const corners = ring.map(([x, y]): Point => [snapToGrid(x), snapToGrid(y)])
    return corners.filter(([x, y], index) => x !== corners[index - 1]?.[0] || y !== corners[index - 1]?.[1])
  }
  return step > 0 ? areas.map((area) => ({ ...area, rings: area.rings.map(simplifyRing).filter((ring) => ring.length > 2) })) : []
}
