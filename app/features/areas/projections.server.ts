import proj4 from 'proj4'
import type { MapGrid } from '#app/lib/geometry.ts'

/** From coordinates of a file, such as easting and northing in metres, to longitude and latitude in degrees of WGS 84. */
export type ToDegrees = (east: number, north: number) => [lng: number, lat: number]

/**
 * The British National Grid (EPSG:27700) with the seven parameters that Ordnance Survey publishes: right to about 5 metres. Statistics Canada
 * Lambert (EPSG:3347) lies on NAD 83, which is taken for WGS 84: they differ by less than 2 metres.
 */
const DEFINITIONS: Record<MapGrid, string> = {
  'british-grid':
    '+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy ' +
    '+towgs84=446.448,-125.157,542.06,0.1502,0.247,0.8421,-20.4894 +units=m +no_defs',
  'canada-lambert':
    '+proj=lcc +lat_0=63.390675 +lon_0=-91.8666666666667 +lat_1=49 +lat_2=77 +x_0=6200000 +y_0=3000000 +ellps=GRS80 ' +
    '+towgs84=0,0,0,0,0,0,0 +units=m +no_defs',
}

export const createConverter = (grid: MapGrid): ToDegrees => convertWith(DEFINITIONS[grid])

function convertWith(definition: string): ToDegrees {
  const { forward } = proj4(definition, 'EPSG:4326')
  return (east, north) => {
    const [lng = Number.NaN, lat = Number.NaN] = forward([east, north])
    return [lng, lat]
  }
}

const GRIDS_BY_CODE: Readonly<Record<string, MapGrid>> = { 27700: 'british-grid', 3347: 'canada-lambert' }
/** WGS 84, and NAD 83 in two editions, which is taken for it. */
const IN_DEGREES: ReadonlySet<string> = new Set(['4326', '4269', '4617', 'CRS84'])
const WEB_MERCATOR = new Set(['3857', '900913'])

/** @param code of the EPSG registry, or CRS84 @returns null for degrees; undefined if it is not known */
export function findConverter(code: string): ToDegrees | null | undefined {
  if (IN_DEGREES.has(code)) return null
  const grid = GRIDS_BY_CODE[code]
  if (grid) return createConverter(grid)
  if (WEB_MERCATOR.has(code)) return convertWith('EPSG:3857')
  // UTM: 269 is NAD 83, 326 is WGS 84, followed by the zone.
  const zone = /^(?:269|326)(\d\d)$/.exec(code)?.[1]
  return zone && Number(zone) >= 1 && Number(zone) <= 60 ? convertWith(`+proj=utm +zone=${Number(zone)} +ellps=GRS80 +units=m`) : undefined
}

/** What a file's `.prj` calls its coordinates. */
export const readProjectionName = (wkt: string): string => /^\s*\w+\s*\[\s*"([^"]{1,80})/.exec(wkt)?.[1] ?? ''

const WGS_84_RADIUS = 6_378_137
/** As proj4 numbers its kinds of datum: shifted by three or seven parameters, or the same as WGS 84. */
const KNOWN_SHIFTS = new Set([1, 2, 4])

/** @param wkt of a `.prj` file @returns undefined if it cannot be converted to within a few metres, such as NAD 27, which needs a grid of shifts */
export function readProjection(wkt: string): ToDegrees | undefined {
  try {
    const { inverse, oProj } = proj4(wkt) as unknown as ProjectionOfFile
    // A datum without parameters, such as ETRS 89 and NAD 83 (CSRS), is WGS 84 to within a metre or two if it has its radius.
    const isKnown = KNOWN_SHIFTS.has(oProj.datum.datum_type) || (oProj.datum.datum_type !== 3 && oProj.a === WGS_84_RADIUS)
    if (!isKnown) return undefined
    return (east, north) => {
      const [lng = Number.NaN, lat = Number.NaN] = inverse([east, north])
      return [lng, lat]
    }
  } catch {
    return undefined
  }
}

interface ProjectionOfFile {
  inverse: (place: [number, number]) => number[]
  oProj: { a: number; datum: { datum_type: number } }
}
