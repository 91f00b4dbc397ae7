import type { Fault } from './app-error.ts'

/** Degrees of WGS 84. */
export type Position = readonly [longitude: number, latitude: number]

/** GeoJSON (RFC 7946), without a third coordinate. */
export type Geometry =
  | { type: 'Point'; coordinates: Position }
  | { type: 'LineString'; coordinates: readonly Position[] }
  | { type: 'Polygon'; coordinates: readonly (readonly Position[])[] }

export const MAX_GEOMETRY_POINTS = 200
/** About a tenth of a metre. */
const DECIMALS = 6

export const MAP_GRIDS = ['british-grid', 'canada-lambert'] as const
export type MapGrid = (typeof MAP_GRIDS)[number]

/**
 * Easting and northing of grids that people mistake for degrees, in metres. Nothing on land lies in the first kilometre of either: smaller
 * numbers are slips in degrees.
 */
const GRIDS: readonly { code: MapGrid; east: readonly [number, number]; north: readonly [number, number] }[] = [
  { code: 'british-grid', east: [1000, 700_000], north: [1000, 1_300_000] },
  { code: 'canada-lambert', east: [3_600_000, 9_100_000], north: [600_000, 6_100_000] },
]

export const isInDegrees = ([west, south, east, north]: Box): boolean => west >= -180 && east <= 180 && south >= -90 && north <= 90

/** The grid that everything in a box could be in, if it is not in degrees. */
export const findGrid = ([west, south, east, north]: Box): MapGrid | undefined =>
  GRIDS.find((grid) => west >= grid.east[0] && east <= grid.east[1] && south >= grid.north[0] && north <= grid.north[1])?.code

class GeometryFault extends Error {
  readonly fault: Omit<Fault, 'pointer'>
  constructor(fault: Omit<Fault, 'pointer'>) {
    super(fault.code)
    this.fault = fault
  }
}
const failWith = (code: Fault['code'], values?: Fault['values']): never => {
  throw new GeometryFault({ code, ...(values ? { values } : {}) })
}

/** Checks a GeoJSON geometry and rounds its coordinates; polygons are closed. @returns the fault if it cannot be used */
export function parseGeometry(value: unknown): { geometry: Geometry } | { fault: Omit<Fault, 'pointer'> } {
  try {
    return { geometry: readGeometry(value) }
  } catch (error) {
    if (error instanceof GeometryFault) return { fault: error.fault }
    throw error
  }
}

function readGeometry(value: unknown): Geometry {
  if (typeof value !== 'object' || value === null) return failWith('wrong-type')
  const { type, coordinates } = value as { type?: unknown; coordinates?: unknown }
  switch (type) {
    case 'Point':
      return { type, coordinates: readPosition(coordinates) }
    case 'LineString': {
      const line = readLine(coordinates)
      if (line.length < 2) failWith('too-few', { min: 2 })
      refuseTooMany(line.length)
      refuseCrossing([line])
      return { type, coordinates: line }
    }
    case 'Polygon': {
      const rings = toList(coordinates).map((ring) => closeRing(readLine(ring)))
      if (rings.length === 0 || rings.some((ring) => ring.length < 4)) failWith('too-few', { min: 3 })
      refuseTooMany(rings.reduce((sum, ring) => sum + ring.length - 1, 0))
      refuseCrossing(rings)
      return { type, coordinates: rings }
    }
    default:
      return failWith('wrong-type')
  }
}

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : failWith('wrong-type'))

function refuseTooMany(points: number): void {
  if (points > MAX_GEOMETRY_POINTS) failWith('too-many', { max: MAX_GEOMETRY_POINTS })
}

function readPosition(value: unknown): Position {
  const [lng, lat] = toList(value)
  if (typeof lng !== 'number' || typeof lat !== 'number' || !Number.isFinite(lng) || !Number.isFinite(lat)) return failWith('not-a-number')
  refuseOutOfRange(lng, lat)
  return [roundTo(lng), roundTo(lat)]
}

/** Degrees as they are stored: about a tenth of a metre. */
export const roundTo = (value: number): number => Number(value.toFixed(DECIMALS))

/** Says which grid the coordinates look like, if they are not degrees. */
function refuseOutOfRange(lng: number, lat: number): void {
  if (isInDegrees([lng, lat, lng, lat])) return
  const grid = findGrid([lng, lat, lng, lat])
  if (grid) failWith(grid)
  const [value, most] = Math.abs(lat) > 90 ? [lat, 90] : [lng, 180]
  failWith('out-of-range', value > 0 ? { max: most } : { min: -most })
}

/** Positions in order, without those that repeat the one before. */
const readLine = (value: unknown): Position[] =>
  toList(value)
    .map(readPosition)
    .filter(([x, y], index, all) => index === 0 || x !== all[index - 1]?.[0] || y !== all[index - 1]?.[1])

function closeRing(ring: Position[]): Position[] {
  const [first, last] = [ring[0], ring.at(-1)]
  return first && last && (first[0] !== last[0] || first[1] !== last[1]) ? [...ring, first] : ring
}

interface Segment {
  from: Position
  to: Position
}

/** Refuses lines that cross or touch themselves or each other, except where one segment ends and the next begins. */
function refuseCrossing(lines: readonly (readonly Position[])[]): void {
  const segments = lines.flatMap((line, of) => {
    const isClosed = line[0]?.[0] === line.at(-1)?.[0] && line[0]?.[1] === line.at(-1)?.[1]
    return line.slice(1).map((to, at) => ({ from: line[at] ?? to, to, of, at, last: isClosed ? line.length - 2 : -1 }))
  })
  for (const [index, one] of segments.entries()) {
    for (const other of segments.slice(index + 1)) {
      const isNext = one.of === other.of && (other.at === one.at + 1 || (one.at === 0 && other.at === other.last))
      if (isNext ? doFoldBack(one, other) : doMeet(one, other)) failWith('self-crossing')
    }
  }
}

const findTurn = (a: Position, b: Position, c: Position): number => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
const isWithin = ({ from, to }: Segment, [x, y]: Position): boolean =>
  x >= Math.min(from[0], to[0]) && x <= Math.max(from[0], to[0]) && y >= Math.min(from[1], to[1]) && y <= Math.max(from[1], to[1])

function doMeet(one: Segment, other: Segment): boolean {
  const [a, b] = [findTurn(one.from, one.to, other.from), findTurn(one.from, one.to, other.to)]
  const [c, d] = [findTurn(other.from, other.to, one.from), findTurn(other.from, other.to, one.to)]
  if (a !== b && c !== d) return true
  return (
    (a === 0 && isWithin(one, other.from)) ||
    (b === 0 && isWithin(one, other.to)) ||
    (c === 0 && isWithin(other, one.from)) ||
    (d === 0 && isWithin(other, one.to))
  )
}

/** Neighbouring segments share a point; they cross only if the second runs back along the first. */
function doFoldBack(one: Segment, other: Segment): boolean {
  const [start, corner, end] =
    one.to[0] === other.from[0] && one.to[1] === other.from[1] ? [one.from, one.to, other.to] : [one.to, one.from, other.from]
  if (findTurn(start, corner, end) !== 0) return false
  return (corner[0] - start[0]) * (end[0] - corner[0]) + (corner[1] - start[1]) * (end[1] - corner[1]) < 0
}

/** West, south, east, north, in degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number]

/** Parses "w,s,e,n"; undefined unless it is a box on earth with some extent. */
export function parseBox(text: string): Box | undefined {
  const numbers = text.split(',').map((part) => (/^-?\d{1,3}(\.\d{1,7})?$/.test(part) ? Number(part) : Number.NaN))
  const [west, south, east, north] = numbers
  if (numbers.length !== 4 || west === undefined || south === undefined || east === undefined || north === undefined) return undefined
  return west >= -180 && east <= 180 && south >= -90 && north <= 90 && west < east && south < north ? [west, south, east, north] : undefined
}

export const isInBox = ([lng, lat]: Position, [west, south, east, north]: Box): boolean =>
  lng >= west && lng <= east && lat >= south && lat <= north

/** A box as `parseBox` reads it, grown to full steps of about a metre. */
export const formatBox = ([west, south, east, north]: Box): string => {
  const grow = (value: number, round: (value: number) => number) => String(round(Number((value * 1e5).toFixed(3))) / 1e5)
  return [grow(west, Math.floor), grow(south, Math.floor), grow(east, Math.ceil), grow(north, Math.ceil)].join(',')
}
