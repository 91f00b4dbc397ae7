import { and, eq, isNull } from 'drizzle-orm'
import type { Box } from '#app/lib/geometry.ts'
import type { Ctx } from '#app/server/context.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { simplifyAreas } from '../area-map.schema.ts'
import { MAX_AREAS } from '../areas.schema.ts'
import { isPointInside, type Rings } from '../polygons.schema.ts'
import { type MapPicture, PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'
import { createBoxView, measureBox, measureLabelBox, toSvgOutline } from './map-view.schema.ts'

/** The site's areas as the server draws them, sorted by name. */
export interface SiteMap {
  areas: { id: string; name: string; rings: Rings }[]
  /** Around all of them; undefined if there are none. */
  box: Box | undefined
}

/** Read once for everybody: areas change seldom, and every map is drawn from them. */
export const readSiteMap = (ctx: Ctx): Promise<SiteMap> =>
  readPublic(ctx, ['site-map'], async (reader) => {
    const rows = await reader.db.read((tx) =>
      tx
        .select({ id: areas.id, name: areas.name, rings: areas.rings })
        .from(areas)
        .where(and(eq(areas.siteId, reader.site.id), isNull(areas.goneAt)))
        .orderBy(areas.name)
        .limit(MAX_AREAS),
    )
    const drawn = simplifyAreas(rows.map((row) => ({ ...row, rings: row.rings as Rings }))).filter(({ rings }) => rings.length > 0)
    return { areas: drawn, box: drawn.length > 0 ? measureBox(drawn) : undefined }
  })

/** Width of a letter as a fraction of its height. */
const LETTER_WIDTH = 0.56
/** Height of letters in the picture on a wide and on a narrow screen; the style sheet has the same. */
const LETTERS = { wide: 13, narrow: 24 }

/** What a bubble or a pin takes up around its spot. */
const TAKEN_RADIUS = { wide: 20, narrow: 34 }
/** How far a name may move up or down to stand free. */
const MOVES = [0, -44, 44, -84, 84]

/** Draws the areas that are in sight. Names keep clear of `taken` spots, or are left out. */
export function drawPicture(map: SiteMap, box: Box, taken: readonly Spot[] = []): MapPicture {
  const view = createBoxView(box)
  const { width, height } = PICTURE_SIZE
  const inSight = map.areas.filter(({ rings }) => {
    const spots = rings.flat().map(view.spotOf)
    const isBeyond = (axis: 0 | 1, most: number) => spots.every((spot) => spot[axis] < 0) || spots.every((spot) => spot[axis] > most)
    return !isBeyond(0, width) && !isBeyond(1, height)
  })
  const labels = inSight.flatMap(({ name, rings }): MapPicture['labels'][number][] => {
    const { middle, width: room } = measureLabelBox(view, rings)
    const halfOf = (letters: number) => (name.length * LETTER_WIDTH * letters) / 2
    const half = halfOf(LETTERS.wide)
    const [x] = middle
    if (half * 2 > room || x < half || x > width - half) return []
    const isFree = (y: number, reach: number, radius: number) =>
      taken.every((spot) => Math.abs(spot[0] - x) > reach + radius || Math.abs(spot[1] - y) > radius + LETTERS.wide)
    const standsInside = (y: number) =>
      y > 16 && y < height - 8 && (y === middle[1] || [y - 18, y + 8].every((edge) => isPointInside(view.placeAt([x, edge]), rings)))
    const y = MOVES.map((move) => middle[1] + move).find((each) => standsInside(each) && isFree(each, half, TAKEN_RADIUS.wide))
    if (y === undefined) return []
    const fitsNarrow = halfOf(LETTERS.narrow) * 2 < room && isFree(y, halfOf(LETTERS.narrow), TAKEN_RADIUS.narrow)
    return [{ name, spot: [Math.round(x), Math.round(y)], fits: fitsNarrow ? 'always' : 'wide' }]
  })
  return { outlines: inSight.map(({ rings }) => toSvgOutline(view, rings)), labels }
}
