import { type SQL, sql } from 'drizzle-orm'
import { createBoxView } from '#app/features/areas/map/map-view.schema.ts'
import { drawMap, readSiteMap } from '#app/features/areas/map/site-map.server.ts'
import { isPointInside } from '#app/features/areas/polygons.schema.ts'
import { SUPPRESSION_THRESHOLD } from '#app/lib/suppressed-cells.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { type PlaceSquares, type ResultSquare, SQUARE_DEGREES } from './activity-results.schema.ts'

const MAX_SQUARES = 500

/** Contributions of one account count as one person; each contribution without an account counts as another person. */
export const PERSON = sql`coalesce(c.author_id, c.id)`

interface SquareRow extends Record<string, unknown> {
  x: number
  y: number
  total: number
  people: number
  placed: number
}

/**
 * Squares in which at least five people have placed something, the fullest first, and the map below them.
 * @param where which contributions `c`
 */
export async function loadPlaceSquares(ctx: Ctx, tx: Tx, where: SQL): Promise<PlaceSquares> {
  // Rounded to six decimals first: 51.48 / 0.005 is slightly less than 10,296.
  const floorOf = (column: 'lng' | 'lat') =>
    sql`floor(round((c.${sql.raw(column)} / ${sql.raw(String(SQUARE_DEGREES[column]))})::numeric, 6))::int`
  const { rows } = await tx.execute<SquareRow>(sql`
    select x, y, total, people, placed from (
      select ${floorOf('lng')} as x, ${floorOf('lat')} as y, count(*)::int as total, count(distinct ${PERSON})::int as people,
        (sum(count(*)) over ())::int as placed
      from contributions c where ${where} and c.lng is not null group by 1, 2
    ) squares order by people >= ${SUPPRESSION_THRESHOLD} desc, total desc, x, y limit ${MAX_SQUARES}`)
  const shown = rows.filter(({ people }) => people >= SUPPRESSION_THRESHOLD)
  const siteMap = await readSiteMap(ctx)
  const view = siteMap.box && createBoxView(siteMap.box)
  const squares = shown.map(({ x, y, total, people }): ResultSquare => {
    const [west, south] = [x * SQUARE_DEGREES.lng, y * SQUARE_DEGREES.lat]
    const middle = [roundDegrees(west + SQUARE_DEGREES.lng / 2), roundDegrees(south + SQUARE_DEGREES.lat / 2)] as const
    return {
      corners: view ? [view.spotOf([west, south]), view.spotOf([west + SQUARE_DEGREES.lng, south + SQUARE_DEGREES.lat])] : null,
      lng: middle[0],
      lat: middle[1],
      area: siteMap.areas.find(({ rings }) => isPointInside(middle, rings))?.name ?? '',
      count: total,
      people,
    }
  })
  return {
    // Names of areas keep clear of the counts.
    picture:
      siteMap.box && view
        ? await drawMap(
            ctx,
            siteMap,
            siteMap.box,
            squares.map(({ lng, lat }) => ({ spot: view.spotOf([lng, lat]) })),
          )
        : null,
    squares,
    placed: rows[0]?.placed ?? 0,
    shown: squares.reduce((sum, { count }) => sum + count, 0),
  }
}

const roundDegrees = (degrees: number): number => Number(degrees.toFixed(4))
