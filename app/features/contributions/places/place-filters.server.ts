import { and, eq, gte, isNotNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { AppError } from '#app/lib/app-error.ts'
import { type Box, parseBox } from '#app/lib/geometry.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'

const METRES_PER_DEGREE = 111_320
const EARTH_RADIUS = 6_371_008.8
const MAX_METRES = 100_000
const NEAR = /^(-?\d{1,3}(?:\.\d{1,10})?),(-?\d{1,2}(?:\.\d{1,10})?),(\d{1,6}(?:\.\d{1,3})?)$/

/** SQL condition: the pin stands in the box, its edges included. */
export const isPinInBox = ([west, south, east, north]: Box): SQL | undefined =>
  and(gte(contributions.lng, west), lte(contributions.lng, east), gte(contributions.lat, south), lte(contributions.lat, north))

const { geometry } = contributions
/** Positions are pairs in brackets in GeoJSON, and pairs in parentheses in the database's own geometric types. */
const toPairs = (coordinates: SQL) => sql`translate((${coordinates})::text, '[]', '()')`
const outerPairs = toPairs(sql`${geometry}->'coordinates'->0`)
const isDrawn = sql`${geometry}->>'type' <> 'Point'`

const drawn = alias(contributions, 'drawn')

/**
 * SQL condition: the pin stands in the box, or part of the line or area lies in it. Lines and areas have an index of
 * their own, so that pins are found in theirs without reading their rows.
 */
export function touchesBox(siteId: string, box: Box): SQL | undefined {
  const [west, south, east, north] = box
  const corners = `((${west},${south}),(${east},${south}),(${east},${north}),(${west},${north}))`
  const meets = sql`case ${drawn.geometry}->>'type'
    when 'LineString' then popen(${toPairs(sql`${drawn.geometry}->'coordinates'`)}::path) ?# ${corners}::path
    when 'Polygon' then ${toPairs(sql`${drawn.geometry}->'coordinates'->0`)}::polygon && ${corners}::polygon end`
  const isMet = sql`${contributions.id} in (select ${drawn.id} from ${contributions} ${drawn}
    where ${and(eq(drawn.siteId, siteId), sql`${drawn.geometry}->>'type' in ('LineString', 'Polygon')`, meets)})`
  return and(isNotNull(contributions.lng), or(isPinInBox(box), isMet))
}

/** SQL condition: a line passes a point within some metres, or an area does, or the point lies in it. */
function passesNear(lng: number, lat: number, metres: number): SQL | undefined {
  const perDegree = (EARTH_RADIUS * Math.PI) / 180
  const narrowing = Math.cos((lat * Math.PI) / 180)
  const positions = sql`case ${geometry}->>'type' when 'Polygon' then ${geometry}->'coordinates'->0 else ${geometry}->'coordinates' end`
  // Metres from the point, on a plane that touches the earth there.
  const spots = sql`select position, ((pair->>0)::float8 - ${lng}::float8) * ${narrowing * perDegree}::float8 as x,
    ((pair->>1)::float8 - ${lat}::float8) * ${perDegree}::float8 as y
    from jsonb_array_elements(${positions}) with ordinality as pairs (pair, position)`
  const sides = sql`select point(x, y) as one, point(lead(x) over (order by position), lead(y) over (order by position)) as next from (${spots}) as spots`
  const nearest = sql`(select min(point(0, 0) <-> lseg(one, next)) from (${sides}) as sides where next is not null)`
  const isInside = sql`(${geometry}->>'type' = 'Polygon' and ${outerPairs}::polygon @> point(${lng}::float8, ${lat}::float8))`
  return and(isDrawn, or(isInside, sql`${nearest} <= ${metres}::float8`))
}

/** The condition of `filter[bbox]`. @throws {AppError} `invalid-parameter` */
export function buildBoxFilter(siteId: string, text: string): SQL | undefined {
  const box = parseBox(text)
  if (!box) throw new AppError('invalid-parameter', { parameter: 'filter[bbox]', detail: { key: 'box-format' } })
  return touchesBox(siteId, box)
}

/** The condition of `filter[near]`: within some metres along the earth. @throws {AppError} `invalid-parameter` */
export function buildNearFilter(text: string): SQL | undefined {
  const [lng, lat, metres] = (NEAR.exec(text) ?? []).slice(1).map(Number)
  if (lng === undefined || lat === undefined || metres === undefined || Math.abs(lng) > 180 || Math.abs(lat) > 90 || metres > MAX_METRES)
    throw new AppError('invalid-parameter', { parameter: 'filter[near]', detail: { key: 'near-format', values: { max: 100_000 } } })
  const high = metres / METRES_PER_DEGREE
  const wide = high / Math.max(Math.cos((lat * Math.PI) / 180), 0.01)
  // The box uses the index, and is a little larger than the circle.
  const around = isPinInBox([lng - wide * 1.01, lat - high * 1.01, lng + wide * 1.01, lat + high * 1.01])
  const half = (column: SQL | typeof contributions.lat, value: number) => sql`power(sin(radians(${column} - ${value}::float8) / 2), 2)`
  const haversine = sql`${half(contributions.lat, lat)} + cos(radians(${lat}::float8)) * cos(radians(${contributions.lat})) * ${half(sql`${contributions.lng}`, lng)}`
  const isPinNear = and(around, sql`2 * ${EARTH_RADIUS}::float8 * asin(least(1, sqrt(${haversine}))) <= ${metres}::float8`)
  return or(isPinNear, passesNear(lng, lat, metres))
}
