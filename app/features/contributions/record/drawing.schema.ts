import type { MapView } from '#app/features/areas/map/map-view.schema.ts'
import { type Geometry, parseGeometry, type Position } from '#app/lib/geometry.ts'

/** What people may put on the map of an activity. */
export const SHAPES = ['points', 'lines', 'areas'] as const
export type Shape = (typeof SHAPES)[number]
/** Shapes of several points. */
export type DrawnShape = Exclude<Shape, 'points'>

export const isDrawnShape = (shape: Shape): shape is DrawnShape => shape !== 'points'
export const LEAST_POINTS: Record<DrawnShape, number> = { lines: 2, areas: 3 }

const SHAPE_OF_GEOMETRY: Record<Geometry['type'], Shape> = { Point: 'points', LineString: 'lines', Polygon: 'areas' }
export const findShape = ({ type }: Geometry): Shape => SHAPE_OF_GEOMETRY[type]

/** How large a line or an area is: in metres, or in square metres. */
export interface DrawnSize {
  shape: DrawnShape
  amount: number
}

const EARTH_RADIUS = 6_371_008.8
const toRadians = (degrees: number) => (degrees * Math.PI) / 180

/** As a form's field holds them. */
export const formatPoints = (points: readonly Position[]): string => points.map((point) => point.join(',')).join(' ')

/** What is no number becomes NaN, which the check refuses. */
export const parsePoints = (text: string): Position[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((pair) => {
      const [lng, lat] = pair.split(',').map((part) => (part ? Number(part) : Number.NaN))
      return [lng ?? Number.NaN, lat ?? Number.NaN]
    })

/** Points as GeoJSON; an area is closed. */
export const buildGeometry = (shape: DrawnShape, points: readonly Position[]): Geometry =>
  shape === 'lines' ? { type: 'LineString', coordinates: points } : { type: 'Polygon', coordinates: [[...points, ...points.slice(0, 1)]] }

/** The points that a stored line or area was drawn with. */
export function listDrawnPoints(geometry: Geometry): readonly Position[] {
  if (geometry.type === 'Point') return []
  return geometry.type === 'LineString' ? geometry.coordinates : (geometry.coordinates[0] ?? []).slice(0, -1)
}

/** True if a drawing has not been touched; holes cannot be drawn, and stay. */
export const hasSamePoints = (one: Geometry, other: Geometry): boolean =>
  one.type === other.type && one.type !== 'Point' && formatPoints(listDrawnPoints(one)) === formatPoints(listDrawnPoints(other))

/** Why points cannot be sent as they are; undefined if they can. */
export function findDrawingFault(shape: DrawnShape, points: readonly Position[]) {
  const parsed = parseGeometry(buildGeometry(shape, points))
  return 'fault' in parsed ? parsed.fault : undefined
}

/** Metres between two points, along the earth. */
export function measureDistance([fromLng, fromLat]: Position, [toLng, toLat]: Position): number {
  const half = (from: number, to: number) => Math.sin(toRadians(to - from) / 2) ** 2
  const haversine = half(fromLat, toLat) + Math.cos(toRadians(fromLat)) * Math.cos(toRadians(toLat)) * half(fromLng, toLng)
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(haversine)))
}

export const measureLength = (line: readonly Position[]): number =>
  line.slice(1).reduce((sum, point, at) => sum + measureDistance(line[at] ?? point, point), 0)

/** Square metres inside a ring, closed or not. */
function measureRing(ring: readonly Position[]): number {
  const [origin] = ring
  if (!origin) return 0
  const narrowing = Math.cos(toRadians(ring.reduce((sum, [, lat]) => sum + lat, 0) / ring.length))
  const flat = ring.map(([lng, lat]) => [toRadians(lng - origin[0]) * narrowing, toRadians(lat - origin[1])] as const)
  const doubled = flat.reduce((sum, [x, y], at) => {
    const [nextX, nextY] = flat[(at + 1) % flat.length] ?? [0, 0]
    return sum + x * nextY - nextX * y
  }, 0)
  return (Math.abs(doubled) / 2) * EARTH_RADIUS ** 2
}

/** Undefined for a point. */
export function measureGeometry(geometry: Geometry): DrawnSize | undefined {
  switch (geometry.type) {
    case 'Point':
      return undefined
    case 'LineString':
      return { shape: 'lines', amount: measureLength(geometry.coordinates) }
    case 'Polygon': {
      const [outer = [], ...holes] = geometry.coordinates
      return { shape: 'areas', amount: holes.reduce((left, hole) => left - measureRing(hole), measureRing(outer)) }
    }
  }
}

/** A line or an area as an SVG path; undefined for a point. */
export function toSvgPath({ spotOf }: Pick<MapView, 'spotOf'>, geometry: Geometry): string | undefined {
  if (geometry.type === 'Point') return undefined
  const lines = geometry.type === 'Polygon' ? geometry.coordinates : [geometry.coordinates]
  const end = geometry.type === 'Polygon' ? 'Z' : ''
  const drawLine = (line: readonly Position[]) =>
    `M${line
      .map((point) =>
        spotOf(point)
          .map((value) => value.toFixed(1))
          .join(' '),
      )
      .join('L')}${end}`
  return lines.map(drawLine).join('')
}

const BEARINGS = ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'] as const

/** The direction from one point to another. */
export function findBearing([fromLng, fromLat]: Position, [toLng, toLat]: Position): (typeof BEARINGS)[number] {
  const right = (toLng - fromLng) * Math.cos(toRadians((fromLat + toLat) / 2))
  const turn = (Math.atan2(right, toLat - fromLat) / (2 * Math.PI)) * BEARINGS.length
  return BEARINGS[(Math.round(turn) + BEARINGS.length) % BEARINGS.length] ?? 'north'
}
