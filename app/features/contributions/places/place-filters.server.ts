import { and, gte, lte, type SQL, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import { type Box, parseBox } from '#app/lib/geometry.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'

const METRES_PER_DEGREE = 111_320
const EARTH_RADIUS = 6_371_008.8
const MAX_METRES = 100_000
const NEAR = /^(-?\d{1,3}(?:\.\d{1,10})?),(-?\d{1,2}(?:\.\d{1,10})?),(\d{1,6}(?:\.\d{1,3})?)$/

/** SQL condition: the pin stands in the box, its edges included. */
export const isInBox = ([west, south, east, north]: Box): SQL | undefined =>
  and(gte(contributions.lng, west), lte(contributions.lng, east), gte(contributions.lat, south), lte(contributions.lat, north))

/** The condition of `filter[bbox]`. @throws {AppError} `invalid-parameter` */
export function buildBoxFilter(text: string): SQL | undefined {
  const box = parseBox(text)
  if (!box) throw new AppError('invalid-parameter', { parameter: 'filter[bbox]', detail: 'Four degrees: west,south,east,north' })
  return isInBox(box)
}

/** The condition of `filter[near]`: within some metres along the earth. @throws {AppError} `invalid-parameter` */
export function buildNearFilter(text: string): SQL | undefined {
  const [lng, lat, metres] = (NEAR.exec(text) ?? []).slice(1).map(Number)
  if (lng === undefined || lat === undefined || metres === undefined || Math.abs(lng) > 180 || Math.abs(lat) > 90 || metres > MAX_METRES)
    throw new AppError('invalid-parameter', { parameter: 'filter[near]', detail: 'Longitude,latitude,metres, up to 100000 metres' })
  const high = metres / METRES_PER_DEGREE
  const wide = high / Math.max(Math.cos((lat * Math.PI) / 180), 0.01)
  // The box uses the index, and is a little larger than the circle.
  const around = isInBox([lng - wide * 1.01, lat - high * 1.01, lng + wide * 1.01, lat + high * 1.01])
  const half = (column: SQL | typeof contributions.lat, value: number) => sql`power(sin(radians(${column} - ${value}::float8) / 2), 2)`
  const haversine = sql`${half(contributions.lat, lat)} + cos(radians(${lat}::float8)) * cos(radians(${contributions.lat})) * ${half(sql`${contributions.lng}`, lng)}`
  return and(around, sql`2 * ${EARTH_RADIUS}::float8 * asin(least(1, sqrt(${haversine}))) <= ${metres}::float8`)
}
