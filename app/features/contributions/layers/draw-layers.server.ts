import { and, asc, eq } from 'drizzle-orm'
import { PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'
import type { MapView } from '#app/features/areas/map/map-view.schema.ts'
import type { Box } from '#app/lib/geometry.ts'
import type { LayerShape, Track } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { mapLayers } from '#app/server/db/schema/contributions.ts'
import type { ActivityRow } from '../record/activities.policy.server.ts'
import { createLocaliser } from '../record/answers.server.ts'
import { clipLine, clipRing } from './clip-tracks.server.ts'
import { LAYER_PARTS, type LayerPart, type LayerPicture } from './layers.schema.ts'

const shownColumns = {
  number: mapLayers.number,
  name: mapLayers.name,
  pattern: mapLayers.pattern,
  box: mapLayers.box,
  shapes: mapLayers.shapes,
}

/** A layer with all that is drawn of it. */
export type ShownLayer = Pick<typeof mapLayers.$inferSelect, keyof typeof shownColumns>

/** Visible layers of an activity's map, the lowest first. Nothing is asked for if there are none. */
export async function loadShownLayers(ctx: Ctx, tx: Tx, activity: ActivityRow): Promise<ShownLayer[]> {
  if (activity.layers === 0) return []
  return tx
    .select(shownColumns)
    .from(mapLayers)
    .where(and(eq(mapLayers.siteId, ctx.site.id), eq(mapLayers.activityId, activity.id), eq(mapLayers.visible, true)))
    .orderBy(asc(mapLayers.position), asc(mapLayers.id))
}

/** The box around layers; null if there are none. */
export const measureLayers = (layers: readonly ShownLayer[]): Box | null =>
  layers.length === 0
    ? null
    : layers.reduce<Box>(
        ([west, south, east, north], { box: [left = 0, bottom = 0, right = 0, top = 0] }) => [
          Math.min(west, left),
          Math.min(south, bottom),
          Math.max(east, right),
          Math.max(north, top),
        ],
        [Infinity, Infinity, -Infinity, -Infinity],
      )

/** Letters of all paths of a picture: compressed less than half of that. */
const MAX_LETTERS = 70_000
/** Positions are rounded to as many units of the picture as it takes to stay within that. */
const ROUNDINGS = [1, 2, 4, 8, 16, 32]

/**
 * Draws what is in sight of layers.
 * @param finest units of the picture to which positions are rounded if there is room, for pictures that are enlarged
 */
export function drawLayers(ctx: Ctx, layers: readonly ShownLayer[], view: MapView, finest = 1): LayerPicture[] {
  const localise = createLocaliser(ctx)
  const named = layers.map(({ number, name, pattern, shapes }) => ({
    number,
    name: localise(name),
    pattern,
    parts: LAYER_PARTS.filter((part) => shapes.some((shape) => shape?.[part])),
  }))
  let drawn: string[][][] = []
  for (const rounding of new Set([finest, ...ROUNDINGS])) {
    drawn = layers.map(({ shapes }) => drawShapes(shapes, view, rounding))
    if (drawn.flat(2).reduce((sum, { length }) => sum + length, 0) <= MAX_LETTERS) break
  }
  const most = MAX_LETTERS / Math.max(1, layers.length) / LAYER_PARTS.length
  return named.map((layer, of) => {
    const paths = LAYER_PARTS.flatMap((part, at): [LayerPart, string][] => {
      const path = joinPaths(drawn[of]?.[at] ?? [], most)
      return path ? [[part, path]] : []
    })
    return { ...layer, ...Object.fromEntries(paths) }
  })
}

/** All of them, unless not even the coarsest rounding sufficed. */
function joinPaths(paths: readonly string[], most: number): string {
  const whole = paths.join('')
  if (whole.length <= MAX_LETTERS) return whole
  let letters = 0
  return paths.filter(({ length }) => (letters += length) <= most).join('')
}

/** Paths of each part, in the order of `LAYER_PARTS`. Equal ones are drawn once. */
function drawShapes(shapes: readonly LayerShape[], view: MapView, rounding: number): string[][] {
  const [areas, lines, points] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const toSpots = (track: Track) => listSpots(track, view)
  for (const shape of shapes) {
    for (const rings of shape?.areas ?? []) {
      const drawn = rings.flatMap((ring) => {
        const clipped = clipRing(toSpots(ring))
        return clipped.length > 2 ? [drawRing(clipped, rounding)] : []
      })
      if (drawn.length > 0) areas.add(drawn.join(''))
    }
    for (const line of shape?.lines ?? []) for (const piece of clipLine(toSpots(line))) lines.add(drawLine(piece, rounding))
    for (const spot of toSpots(shape?.points ?? [])) {
      if (isInPicture(spot)) points.add(`M${roundSpot(spot, rounding).join(' ')}`)
    }
  }
  return [[...areas], [...lines], [...points]]
}

const isInPicture = ([x, y]: Spot): boolean => x >= 0 && y >= 0 && x <= PICTURE_SIZE.width && y <= PICTURE_SIZE.height

function listSpots(track: Track, { spotOf }: MapView): Spot[] {
  const spots: Spot[] = []
  for (let at = 0; at < track.length; at += 2) spots.push(spotOf([track[at] ?? 0, track[at + 1] ?? 0]))
  return spots
}

const roundTo = (value: number, rounding: number): number => Number((Math.round(value / rounding) * rounding).toFixed(2))
const roundSpot = ([x, y]: Spot, rounding: number): Spot => [roundTo(x, rounding), roundTo(y, rounding)]

function drawLine(spots: readonly Spot[], rounding: number): string {
  const [first, ...rest] = spots.map((spot) => roundSpot(spot, rounding))
  if (!first) return ''
  let [x, y] = first
  let steps = ''
  for (const [toX, toY] of rest) {
    if (toX === x && toY === y) continue
    steps += joinNumbers(roundTo(toX - x, 0.01), roundTo(toY - y, 0.01), steps !== '')
    ;[x, y] = [toX, toY]
  }
  return `M${first.join(' ')}l${steps || '1 0'}`
}

const joinNumbers = (x: number, y: number, isAfter: boolean): string => `${isAfter && x >= 0 ? ' ' : ''}${x}${y < 0 ? '' : ' '}${y}`

/** What is smaller than the rounding stays to be seen as a small square. */
function drawRing(ring: readonly Spot[], rounding: number): string {
  const [first] = ring
  if (!first) return ''
  const rounded = ring.map((spot) => roundSpot(spot, rounding))
  if (new Set(rounded.map(String)).size < 3) return `M${roundSpot(first, rounding).join(' ')}h1v1h-1z`
  return `${drawLine(ring, rounding)}z`
}
