import { AppError, type Fault } from '#app/lib/app-error.ts'
import { cleanName } from './map-tile.server.ts'
import { classifyFeature, type ShapeProperties } from './street-kinds.server.ts'
import type { MapFeature, MapGeometry } from './write-map-file.server.ts'

const MAX_FEATURES = 150_000
const MAX_POSITIONS = 1_500_000
/** In degrees: a town and its surroundings, not a country. */
const MAX_SPAN = 2
/** Most degrees of latitude that tiles reach. */
const MAX_LATITUDE = 85
/** Lists inside each other that the coordinates of a geometry have. */
const DEPTHS: Readonly<Record<MapGeometry['type'], number>> = {
  Point: 1,
  MultiPoint: 2,
  LineString: 2,
  MultiLineString: 3,
  Polygon: 3,
  MultiPolygon: 4,
}
const NAMES = ['name', 'name:en', 'name:fr', 'name:cy']

const refuseMap = (code: Fault['code'], values?: Fault['values']): never => {
  throw new AppError('invalid', { faults: [{ code, pointer: '/upload', ...(values && { values }) }] })
}

type Members = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Streets, water, parks, buildings and places of a GeoJSON file (RFC 7946), by the tags of OpenStreetMap or their own `layer` and `kind`. Other
 * features are left out.
 * @throws {AppError} `invalid` at `/upload`: `map-file-unreadable`, `map-file-empty`, `map-file-too-detailed`, `layer-not-degrees`, `map-file-too-wide`
 */
export function readMapGeoJson(file: Uint8Array): MapFeature[] {
  const root = parseText(file)
  const given = isObject(root) && root['type'] === 'FeatureCollection' ? root['features'] : undefined
  if (!Array.isArray(given)) return refuseMap('map-file-unreadable')
  if (given.length > MAX_FEATURES) refuseMap('map-file-too-detailed')
  const reading = { positions: 0, west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
  const features = (given as unknown[]).flatMap((feature): MapFeature[] => {
    if (!isObject(feature) || !isObject(feature['properties'])) return []
    const kept = classifyFeature(feature['properties'])
    const geometry = kept && readGeometry(feature['geometry'], reading)
    return geometry ? [{ type: 'Feature', properties: { ...kept, ...readNames(feature['properties']) }, geometry }] : []
  })
  if (features.length === 0) refuseMap('map-file-empty')
  if (reading.west < -180 || reading.east > 180 || reading.south < -MAX_LATITUDE || reading.north > MAX_LATITUDE)
    refuseMap('layer-not-degrees')
  if (reading.east - reading.west > MAX_SPAN || reading.north - reading.south > MAX_SPAN) refuseMap('map-file-too-wide', { max: MAX_SPAN })
  return features
}

function parseText(file: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file))
  } catch {
    return refuseMap('map-file-unreadable')
  }
}

interface Reading {
  positions: number
  west: number
  south: number
  east: number
  north: number
}

function readGeometry(value: unknown, reading: Reading): MapGeometry | undefined {
  if (!isObject(value)) return undefined
  const { type, coordinates } = value
  const depth = typeof type === 'string' && Object.hasOwn(DEPTHS, type) ? DEPTHS[type as MapGeometry['type']] : undefined
  if (!depth) return undefined
  return { type, coordinates: readCoordinates(coordinates, depth, reading) } as MapGeometry
}

/** Only positions, as deep as the geometry has them. */
function readCoordinates(value: unknown, depth: number, reading: Reading): unknown[] {
  if (!Array.isArray(value)) return refuseMap('map-file-unreadable')
  if (depth > 1) return value.map((inner) => readCoordinates(inner, depth - 1, reading))
  const [lng, lat] = value as unknown[]
  if (typeof lng !== 'number' || typeof lat !== 'number' || !Number.isFinite(lng) || !Number.isFinite(lat))
    return refuseMap('map-file-unreadable')
  if (++reading.positions > MAX_POSITIONS) refuseMap('map-file-too-detailed')
  reading.west = Math.min(reading.west, lng)
  reading.south = Math.min(reading.south, lat)
  reading.east = Math.max(reading.east, lng)
  reading.north = Math.max(reading.north, lat)
  return [lng, lat]
}

const readNames = (properties: ShapeProperties): Record<string, string> =>
  Object.fromEntries(
    NAMES.flatMap((key) => {
      const name = cleanName(properties[key])
      return name ? [[key, name]] : []
    }),
  )
