import { and, eq, isNull } from 'drizzle-orm'
import type { Box } from '#app/lib/geometry.ts'
import type { Ctx } from '#app/server/context.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { simplifyAreas } from '../area-map.schema.ts'
import { selectAreaName } from '../area-names.server.ts'
import { MAX_AREAS } from '../areas.schema.ts'
import { isPointInside, type Rings } from '../polygons.schema.ts'
import { type MapPicture, PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'
import { coverLabels, drawSiteStreets, findNearStreets, loadMapFile, type SiteMapFile } from '../streets/site-streets.server.ts'
import { widenBox } from './map-boxes.server.ts'
import { createBoxView, type MapView, measureBox, measureLabelBox, toSvgOutline } from './map-view.schema.ts'

/** The site's areas as the server draws them, sorted by name. */
export interface SiteMap {
  areas: { id: string; name: string; rings: Rings }[]
  /** Around all of them, or what the map file covers; undefined if there is neither. */
  box: Box | undefined
  /** Streets below the areas. */
  file: SiteMapFile | undefined
}

/** Read once for everybody: areas change seldom, and every map is drawn from them. */
export const readSiteMap = (ctx: Ctx): Promise<SiteMap> =>
  readPublic(ctx, ['site-map'], async (reader) => {
    const { rows, file } = await reader.db.read(async (tx) => ({
      rows: await tx
        .select({ id: areas.id, name: selectAreaName(reader), rings: areas.rings })
        .from(areas)
        .where(and(eq(areas.siteId, reader.site.id), isNull(areas.goneAt)))
        .orderBy(selectAreaName(reader))
        .limit(MAX_AREAS),
      file: await loadMapFile(reader, tx),
    }))
    const drawn = simplifyAreas(rows.map((row) => ({ ...row, rings: row.rings as Rings }))).filter(({ rings }) => rings.length > 0)
    return { areas: drawn, box: drawn.length > 0 ? measureBox(drawn) : file?.box, file }
  })

/** Width of a letter as a fraction of its height. */
const LETTER_WIDTH = 0.56
/** Height of letters in the picture on a wide and on a narrow screen; the style sheet has the same. */
const LETTERS = { wide: 13, narrow: 24 }

/** What a bubble, or the middle of a pin, takes up around it. */
const TAKEN_RADIUS = { wide: 20, narrow: 34 }
/** Height of the middle of a pin above its tip. */
const PIN_MIDDLE = { wide: 17, narrow: 27 }

/** What names and letters keep clear of: a bubble around its spot, or a pin that stands on it. */
export interface TakenSpot {
  spot: Spot
  isPin?: boolean
}

/** The middles of what is taken, in the picture as it is on a wide or on a narrow screen. */
const listMiddles = (taken: readonly TakenSpot[], screen: 'wide' | 'narrow'): Spot[] =>
  taken.map(({ spot: [x, y], isPin }) => (isPin ? [x, y - PIN_MIDDLE[screen]] : [x, y]))
/** How far a name may move up or down to stand free. */
const MOVES = [0, -44, 44, -84, 84]

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
/** Steps of the grid on which a free spot in an area is looked for. */
const LETTER_STEPS = 8

/** A letter in each area, in the order of their names, clear of what is taken and of each other; areas without a free spot have none. */
function placeLetters(view: MapView, unnamed: SiteMap['areas'], taken: readonly Spot[]): NonNullable<MapPicture['letters']> {
  const placed: { letter: string; name: string; spot: Spot }[] = []
  for (const { name, rings } of unnamed) {
    const letter = ALPHABET[placed.length]
    const spot = findLetterSpot(view, rings, [...taken, ...placed.map((each) => each.spot)])
    if (spot && letter) placed.push({ letter, name, spot })
  }
  return placed
}

/** The free spot of an area that is nearest to its middle. */
function findLetterSpot(view: MapView, rings: Rings, taken: readonly Spot[]): Spot | undefined {
  const spots = rings.flat().map(view.spotOf)
  const findRange = (axis: 0 | 1, most: number) =>
    [Math.max(0, Math.min(...spots.map((spot) => spot[axis]))), Math.min(most, Math.max(...spots.map((spot) => spot[axis])))] as const
  const [[left, right], [top, bottom]] = [findRange(0, PICTURE_SIZE.width), findRange(1, PICTURE_SIZE.height)]
  const half = LETTERS.narrow / 2
  const isInside = ([x, y]: Spot) =>
    [-half, half].every((across) => [-half, half].every((down) => isPointInside(view.placeAt([x + across, y + down]), rings)))
  const isFree = ([x, y]: Spot) => taken.every((spot) => Math.hypot(spot[0] - x, spot[1] - y) >= TAKEN_RADIUS.narrow + half)
  const measureDistance = ([x, y]: Spot) => Math.hypot(x - (left + right) / 2, y - (top + bottom) / 2)
  const grid = Array.from({ length: LETTER_STEPS ** 2 }, (_, at): Spot => {
    const place = (from: number, to: number, step: number) => Math.round(from + ((to - from) * (step + 0.5)) / LETTER_STEPS)
    return [place(left, right, at % LETTER_STEPS), place(top, bottom, Math.floor(at / LETTER_STEPS))]
  })
  return grid.toSorted((one, other) => measureDistance(one) - measureDistance(other)).find((spot) => isFree(spot) && isInside(spot))
}

/** Draws the areas that are in sight above the streets of the site's map file. Names keep clear of `taken` spots, or are left out. */
export async function drawMap(ctx: Ctx, map: SiteMap, box: Box, taken: readonly TakenSpot[] = []): Promise<MapPicture> {
  const picture = drawPicture(map, box, taken)
  if (!map.file) return picture
  const labels = coverLabels(picture, LETTERS)
  const toCircles = (screen: 'wide' | 'narrow') => [
    ...labels[screen],
    ...listMiddles(taken, screen).map((spot) => ({ spot, radius: TAKEN_RADIUS[screen] })),
  ]
  const streets = await drawSiteStreets(ctx, map.file, box, { wide: toCircles('wide'), narrow: toCircles('narrow') })
  return streets ? { ...picture, streets, credit: map.file.credit } : picture
}

/** What is near spots in the picture of a box, in words: a street, or an area if streets are too small to be named there. */
export async function nameSpots(ctx: Ctx, map: SiteMap, box: Box, spots: readonly Spot[]): Promise<(string | undefined)[]> {
  const view = createBoxView(box)
  const streets = map.file && spots.length > 0 ? await findNearStreets(ctx, map.file, box, spots) : []
  return spots.map((spot, at) => streets[at] ?? map.areas.find(({ rings }) => isPointInside(view.placeAt(spot), rings))?.name)
}

/** Only the streets of a box, for a browser that draws the areas and pins on top itself. Undefined if the site has no map file. */
export async function drawStreetView(ctx: Ctx, box: Box): Promise<string | undefined> {
  const { file } = await readSiteMap(ctx)
  return file && drawSiteStreets(ctx, file, widenBox(box), { wide: [], narrow: [] })
}

/** Draws the areas that are in sight. Names keep clear of `taken` spots, or are left out. */
function drawPicture(map: Pick<SiteMap, 'areas'>, box: Box, taken: readonly TakenSpot[] = []): MapPicture {
  const [takenWide, takenNarrow] = [listMiddles(taken, 'wide'), listMiddles(taken, 'narrow')]
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
    const isFree = (spots: readonly Spot[], y: number, reach: number, radius: number) =>
      spots.every((spot) => Math.abs(spot[0] - x) > reach + radius || Math.abs(spot[1] - y) > radius + LETTERS.wide)
    const standsInside = (y: number) =>
      y > 16 && y < height - 8 && (y === middle[1] || [y - 18, y + 8].every((edge) => isPointInside(view.placeAt([x, edge]), rings)))
    const y = MOVES.map((move) => middle[1] + move).find((each) => standsInside(each) && isFree(takenWide, each, half, TAKEN_RADIUS.wide))
    if (y === undefined) return []
    const fitsNarrow = halfOf(LETTERS.narrow) * 2 < room && isFree(takenNarrow, y, halfOf(LETTERS.narrow), TAKEN_RADIUS.narrow)
    return [{ name, spot: [Math.round(x), Math.round(y)], fits: fitsNarrow ? 'always' : 'wide' }]
  })
  const named = new Set(labels.flatMap(({ name, fits }) => (fits === 'always' ? [name] : [])))
  const unnamed = inSight.filter(({ name }) => !named.has(name))
  const letters = placeLetters(view, unnamed, [...takenNarrow, ...labels.flatMap(({ fits, spot }) => (fits === 'always' ? [spot] : []))])
  return { outlines: inSight.map(({ rings }) => toSvgOutline(view, rings)), labels, letters }
}
