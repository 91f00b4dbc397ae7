import { findAreaByPostcode } from '#app/features/areas/areas.server.ts'
import { createBoxView, measureBox, PICTURE_SIZE } from '#app/features/areas/map/map-view.schema.ts'
import { drawPicture, readSiteMap, type SiteMap } from '#app/features/areas/map/site-map.server.ts'
import { isPointInside } from '#app/features/areas/polygons.schema.ts'
import { type Box, formatBox, parseBox, type Position } from '#app/lib/geometry.ts'
import { toSlug } from '#app/lib/slug.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import type { FormValues } from '#app/server/forms.ts'
import type { PlacedActivity } from '../activities/activities.policy.server.ts'
import { drawLayers, loadShownLayers, measureLayers, type ShownLayer } from '../layers/draw-layers.server.ts'
import { doubleBox, widenBox } from './place-map.server.ts'
import type { MapPictureView, PlaceWritingView } from './places.schema.ts'

/** Widths at which the map is shown as an image to press, in CSS pixels; the style sheet has the same. */
const IMAGE_WIDTHS = { large: PICTURE_SIZE.width, small: 288 }
/** In units of a picture that a browser enlarges. */
const ENLARGED_ROUNDING = 0.25
/** Around a project's own place, for a site without areas. */
const AROUND_PROJECT = { lng: 0.04, lat: 0.025 }

interface TypedPlace {
  map: SiteMap
  layers: readonly ShownLayer[]
  whole: Box | undefined
  box: Box | undefined
  point: Position | undefined
  areaId: string
  /** The map was used by key, which sends no position. */
  isMissed: boolean
  /** Nothing was found for what was typed. */
  isUnknown: boolean
}

const readText = (sent: string | string[] | undefined): string => (typeof sent === 'string' ? sent : '')

/** What the form says about the place, after the button that sent it. */
export async function readTypedPlace(ctx: Ctx, tx: Tx, { activity, project }: PlacedActivity, values: FormValues): Promise<TypedPlace> {
  const map = await readSiteMap(ctx)
  const layers = await loadShownLayers(ctx, tx, activity)
  const whole = map.box ?? boxAroundProject(project.place) ?? measureLayers(layers) ?? undefined
  const box = parseBox(readText(values['view'])) ?? whole
  const point = readPoint(values)
  const typed: TypedPlace = { map, layers, whole, box, point, areaId: readText(values['areaId']), isMissed: false, isUnknown: false }
  const press = readPress(values)
  if (press && box) {
    if (press === 'missed') return { ...typed, isMissed: true }
    return { ...typed, point: createBoxView(box).placeAt(press) }
  }
  switch (values['place']) {
    case 'clear':
      return { ...typed, point: undefined }
    case 'nearer':
      return { ...typed, box: box && halveBox(box, point) }
    case 'farther':
      return { ...typed, box: (box && whole && doubleBox(box, whole)) ?? whole }
    case 'find': {
      const found = await findArea(ctx, tx, map, readText(values['find']))
      return found ? { ...typed, areaId: found.id, box: measureBox([found]) } : { ...typed, isUnknown: true }
    }
    default:
      return typed
  }
}

function boxAroundProject(place: unknown): Box | undefined {
  const { lat, lng } = (place ?? {}) as { lat?: unknown; lng?: unknown }
  if (typeof lat !== 'number' || typeof lng !== 'number') return undefined
  return [lng - AROUND_PROJECT.lng, lat - AROUND_PROJECT.lat, lng + AROUND_PROJECT.lng, lat + AROUND_PROJECT.lat]
}

function readPoint(values: FormValues): Position | undefined {
  const [lng, lat] = [readText(values['lng']), readText(values['lat'])]
  return lng && lat ? [Number(lng), Number(lat)] : undefined
}

/** Where the image was pressed, in units of the picture. A key press sends 0,0. */
function readPress(values: FormValues): readonly [number, number] | 'missed' | undefined {
  for (const [name, width] of Object.entries(IMAGE_WIDTHS)) {
    const [x, y] = [values[`${name}.x`], values[`${name}.y`]]
    if (typeof x !== 'string' || typeof y !== 'string') continue
    const scale = PICTURE_SIZE.width / width
    const spot = [Number(x) * scale, Number(y) * scale] as const
    const isOnPicture = spot[0] >= 0 && spot[0] <= PICTURE_SIZE.width && spot[1] >= 0 && spot[1] <= PICTURE_SIZE.height + scale
    return isOnPicture && (spot[0] !== 0 || spot[1] !== 0) ? spot : 'missed'
  }
  return undefined
}

/** Half as wide and high, around the point if there is one in sight. */
function halveBox([west, south, east, north]: Box, point: Position | undefined): Box {
  const isInSight = point && point[0] >= west && point[0] <= east && point[1] >= south && point[1] <= north
  const [lng, lat] = isInSight ? point : [(west + east) / 2, (south + north) / 2]
  const [wide, high] = [(east - west) / 4, (north - south) / 4]
  return widenBox([lng - wide, lat - high, lng + wide, lat + high])
}

/** The area of a name or its beginning, or of a postcode. */
async function findArea(ctx: Ctx, tx: Tx, map: SiteMap, text: string) {
  const sought = toSlug(text)
  if (!sought) return undefined
  const named = map.areas.find(({ name }) => toSlug(name) === sought) ?? map.areas.find(({ name }) => toSlug(name).startsWith(sought))
  if (named) return named
  const id = await findAreaByPostcode(ctx, tx, text)
  return map.areas.find((area) => area.id === id)
}

/** The form's map, for the page that shows it again. */
export function buildPlaceWriting(ctx: Ctx, typed: TypedPlace, isCheck: boolean): PlaceWritingView {
  const { map, layers, box, whole, point, areaId, isMissed } = typed
  const isValid = point !== undefined && point.every(Number.isFinite)
  const at = isValid ? map.areas.find(({ rings }) => isPointInside(point, rings)) : undefined
  const state = isMissed ? 'missed' : !isValid ? 'none' : at ? 'in-area' : map.areas.length > 0 ? 'outside' : 'somewhere'
  const chosen = map.areas.find(({ id }) => id === (at?.id ?? areaId))
  const [x, y] = isValid && box ? createBoxView(box).spotOf(point) : []
  return {
    picture: box ? drawLayeredPicture(ctx, typed, box) : null,
    layers: whole ? drawLayers(ctx, layers, createBoxView(whole), ENLARGED_ROUNDING) : [],
    hasAreas: map.areas.length > 0,
    view: box ? formatBox(box) : '',
    focus: box && whole && box.join() !== whole.join() ? box : null,
    lng: point ? String(point[0]) : '',
    lat: point ? String(point[1]) : '',
    spot: x !== undefined && y !== undefined ? [Math.round(x), Math.round(y)] : null,
    areaId: at?.id ?? areaId,
    area: chosen?.name ?? '',
    state,
    isCheck,
  }
}

const drawLayeredPicture = (ctx: Ctx, { map, layers }: Pick<TypedPlace, 'map' | 'layers'>, box: Box): MapPictureView => ({
  ...drawPicture(map, box),
  ...(layers.length > 0 && { layers: drawLayers(ctx, layers, createBoxView(box)) }),
})
