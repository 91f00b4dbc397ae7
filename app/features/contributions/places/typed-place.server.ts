import type { FoundOnMap } from '#app/features/areas/map/find-on-map.server.ts'
import { describeFoundName } from '#app/features/areas/map/found-name.schema.ts'
import { doubleBox, halveBox, widenBox } from '#app/features/areas/map/map-boxes.server.ts'
import { createBoxView, type MapView } from '#app/features/areas/map/map-view.schema.ts'
import { readMapPress } from '#app/features/areas/map/press-map.server.ts'
import { drawMap, readSiteMap, type SiteMap } from '#app/features/areas/map/site-map.server.ts'
import { loadGeocoder } from '#app/features/marketplace/geocoding.server.ts'
import { isPointInside } from '#app/features/areas/polygons.schema.ts'
import type { Fault } from '#app/lib/app-error.ts'
import { findPin } from '#app/lib/find-pin.ts'
import { type Box, formatBox, type Geometry, isInBox, MAX_GEOMETRY_POINTS, parseBox, type Position } from '#app/lib/geometry.ts'
import type { Spot } from '#app/lib/map-picture.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { type FormValues, readText } from '#app/server/forms.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { PlacedActivity } from '../record/activities.policy.server.ts'
import { drawLayers, loadShownLayers, measureLayers, type ShownLayer } from '../layers/draw-layers.server.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import { searchPlaces } from './search-places.server.ts'
import {
  buildGeometry,
  findDrawingFault,
  findShape,
  formatPoints,
  isDrawnShape,
  LEAST_POINTS,
  measureGeometry,
  parsePoints,
  SHAPES,
  type Shape,
  toSvgPath,
} from '../record/drawing.schema.ts'
import type { MapPictureView, PlaceWritingView } from '../record/places.schema.ts'

/** In units of a picture that a browser enlarges. */
const ENLARGED_ROUNDING = 0.25
/** Around a pin that the picture did not show, in degrees. */
const AROUND_PIN = { lng: 0.006, lat: 0.004 }
/** Around a project's own place, for a site without areas. */
const AROUND_PROJECT = { lng: 0.04, lat: 0.025 }

interface TypedPlace {
  map: SiteMap
  layers: readonly ShownLayer[]
  whole: Box | undefined
  box: Box | undefined
  point: Position | undefined
  /** What may be put on the map, and what is. */
  shapes: readonly Shape[]
  shape: Shape
  points: readonly Position[]
  isFinished: boolean
  /** Why the line or the area cannot be finished, or takes no more points. */
  fault?: Omit<Fault, 'pointer'> | undefined
  areaId: string
  /** The map was used by key, which sends no position. */
  isMissed: boolean
  /** Nothing was found for what was typed. */
  isUnknown: boolean
  found?: FoundOnMap
}

/** What the form says about the place, after the button that sent it. @param stored what was sent before */
export async function readTypedPlace(
  ctx: Ctx,
  tx: Tx,
  { activity, project }: PlacedActivity,
  values: FormValues,
  stored: Geometry | null = null,
): Promise<TypedPlace> {
  const map = await readSiteMap(ctx)
  const layers = await loadShownLayers(ctx, tx, activity)
  const whole = map.box ?? boxAroundProject(project.place) ?? measureLayers(layers) ?? undefined
  const box = parseBox(readText(values['view'])) ?? whole
  const point = readPoint(values)
  const drawing = readDrawing(listShapes(activity, stored), values)
  const typed: TypedPlace = {
    map,
    layers,
    whole,
    box,
    point,
    ...drawing,
    areaId: readText(values['areaId']),
    isMissed: false,
    isUnknown: false,
  }
  const press = readMapPress(values)
  if (press && box) {
    if (press === 'missed') return { ...typed, isMissed: true }
    const place = createBoxView(box).placeAt(press)
    return isDrawnShape(drawing.shape) ? { ...typed, ...addPoint(drawing, place, box) } : { ...typed, point: place }
  }
  const removed = readRemovedPoint(readText(values['place']))
  if (removed !== undefined) return { ...typed, points: drawing.points.filter((_, at) => at !== removed), isFinished: false }
  switch (readPlaceStep(values)) {
    case 'clear':
      return { ...typed, point: undefined, points: [], isFinished: false }
    case 'undo':
      return { ...typed, points: drawing.points.slice(0, -1), isFinished: false }
    case 'finish':
      return { ...typed, ...finishDrawing(drawing) }
    case 'resume':
      return { ...typed, isFinished: false }
    case 'nearer':
      return { ...typed, box: box && halveBox(box, isDrawnShape(drawing.shape) ? drawing.points.at(-1) : point) }
    case 'farther':
      return { ...typed, box: (box && whole && doubleBox(box, whole)) ?? whole }
    case 'find':
      return showFound(typed, (await searchPlaces(ctx, activity, readText(values['find'])))[0])
    default:
      return typed
  }
}

type Drawing = Pick<TypedPlace, 'shapes' | 'shape' | 'points' | 'isFinished' | 'fault'>

/** Shapes that the activity accepts, and the stored one even if it is no longer accepted. */
function listShapes(activity: PlacedActivity['activity'], stored: Geometry | null): Shape[] {
  const { geometries = ['points'] } = readActivitySettings(activity).tools.places ?? {}
  return SHAPES.filter((shape) => geometries.includes(shape) || (stored && findShape(stored) === shape))
}

function readDrawing(shapes: readonly Shape[], values: FormValues): Drawing {
  const shape = shapes.find((each) => each === values['shape']) ?? shapes[0] ?? 'points'
  const points = parsePoints(readText(values['points'])).slice(0, MAX_GEOMETRY_POINTS + 1)
  return { shapes, shape, points, isFinished: values['drawn'] === shape }
}

/** How close to the first point a press must be to finish, in units of the picture. */
const FIRST_POINT_RADIUS = 14

function addPoint(drawing: Drawing, place: Position, box: Box): Drawing {
  const { shape, points, isFinished } = drawing
  const [first] = points
  if (isFinished || !isDrawnShape(shape)) return drawing
  const { spotOf } = createBoxView(box)
  const [x, y] = spotOf(place)
  const [firstX, firstY] = first ? spotOf(first) : [Infinity, Infinity]
  if (points.length >= LEAST_POINTS[shape] && Math.hypot(x - firstX, y - firstY) < FIRST_POINT_RADIUS) return finishDrawing(drawing)
  if (points.length >= MAX_GEOMETRY_POINTS) return { ...drawing, fault: { code: 'too-many', values: { max: MAX_GEOMETRY_POINTS } } }
  return { ...drawing, points: [...points, place] }
}

function finishDrawing(drawing: Drawing): Drawing {
  const fault = isDrawnShape(drawing.shape) ? findDrawingFault(drawing.shape, drawing.points) : undefined
  return { ...drawing, fault, isFinished: !fault }
}

/**
 * The button that was pressed; the one without a name is pressed by the Enter key. What was typed into the search and not searched for is searched
 * now, if nothing else says where the place is: the Enter key sends the form without JavaScript.
 */
export function readPlaceStep(values: FormValues): string {
  const step = readText(values['place']) || 'check'
  const isSaid = ['lng', 'lat', 'points', 'areaId', 'placeText', 'from', 'to'].some((name) => readText(values[name]).trim())
  return step === 'check' && readText(values['find']).trim() && !isSaid ? 'find' : step
}

/** The point whose button in the list was pressed. */
export function readRemovedPoint(step: string): number | undefined {
  const [, number] = /^remove-(\d{1,3})$/.exec(step) ?? []
  return number === undefined ? undefined : Number(number) - 1
}

/** What a form says about the place in words: a line may have been described by where it begins and ends. */
export function describeTypedPlace(ctx: Ctx, values: FormValues): string {
  const t = getTranslator(ctx.language, 'contributions')
  const [from, to] = values['shape'] === 'lines' ? [readText(values['from']).trim(), readText(values['to']).trim()] : []
  const ends =
    from && to ? t('drawing.from-to', { from, to }) : from ? t('drawing.from-only', { from }) : to ? t('drawing.to-only', { to }) : ''
  return [ends, readText(values['placeText']).trim()].filter(Boolean).join(', ')
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

/** The form's map, for the page that shows it again. */
export async function buildPlaceWriting(
  ctx: Ctx,
  typed: TypedPlace,
  { words, isCheck }: { words: string; isCheck: boolean },
): Promise<PlaceWritingView> {
  const { map, point, shapes, shape, points, isFinished, areaId } = typed
  const { drawn, pin, at, placed, state } = locateTyped(typed)
  const box = isCheck ? findCheckedBox(typed) : typed.box
  const chosen = map.areas.find(({ id }) => id === (at?.id ?? areaId))
  const view = box && createBoxView(box)
  const size = drawn && measureGeometry(drawn)
  const outline = drawn && view && toSvgPath(view, drawn)
  return {
    ...(await drawBackground(ctx, { ...typed, box })),
    hasAreas: map.areas.length > 0 || map.file !== undefined,
    lng: point ? String(point[0]) : '',
    lat: point ? String(point[1]) : '',
    spot: (pin && !drawn && findSpot(view, pin)) || null,
    shapes,
    shape,
    points: formatPoints(points),
    spots: placed.flatMap((place) => {
      const spot = findSpot(view, place)
      return spot ? [{ spot, area: findAreaAt(map, place)?.name ?? '' }] : []
    }),
    drawn: size && outline ? { ...size, outline } : null,
    isFinished,
    ...(await describeSearch(ctx, typed)),
    words,
    areaId: at?.id ?? areaId,
    area: chosen?.name ?? '',
    state,
    isCheck,
  }
}

/** What is left free at the edges of a picture, as a share of it. */
const EDGE_SHARE = 0.06

const describeSearch = async (ctx: Ctx, { found }: TypedPlace): Promise<Pick<PlaceWritingView, 'addressSource' | 'found'>> => ({
  addressSource: (await loadGeocoder(ctx))?.attribution ?? null,
  found: found ? { name: describeFoundName(found), isWithoutNumber: found.isWithoutNumber ?? false } : null,
})

/** What was shown last may be far from the pin. */
function findCheckedBox(typed: TypedPlace): Box | undefined {
  const { drawn, pin, placed } = locateTyped(typed)
  return pin ? showAll(typed.box, drawn ? placed : [pin]) : typed.box
}

/** The box if all places are well inside it, else another around them. */
function showAll(box: Box | undefined, places: readonly Position[]): Box {
  const [lngs, lats] = [places.map(([lng]) => lng), places.map(([, lat]) => lat)]
  const [west, south, east, north] = [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]
  if (box) {
    const [wide, high] = [(box[2] - box[0]) * EDGE_SHARE, (box[3] - box[1]) * EDGE_SHARE]
    if (west >= box[0] + wide && east <= box[2] - wide && south >= box[1] + high && north <= box[3] - high) return box
  }
  return widenBox([west - AROUND_PIN.lng, south - AROUND_PIN.lat, east + AROUND_PIN.lng, north + AROUND_PIN.lat])
}

const findAreaAt = (map: SiteMap, place: Position) => map.areas.find(({ rings }) => isPointInside(place, rings))

function findSpot(view: MapView | undefined, place: Position): Spot | undefined {
  const [x, y] = view?.spotOf(place) ?? []
  return x !== undefined && y !== undefined ? [Math.round(x), Math.round(y)] : undefined
}

interface LocatedPlace {
  /** Points with numbers: typed ones may have none. */
  placed: readonly Position[]
  drawn: Geometry | undefined
  pin: Position | undefined
  /** The area around the pin. */
  at: SiteMap['areas'][number] | undefined
  state: PlaceWritingView['state']
}

/** What is pointed at or drawn, the area around its pin, and whether all of it is in one. */
function locateTyped({ map, point, shape, points, isMissed }: TypedPlace): LocatedPlace {
  const placed = points.filter((each) => each.every(Number.isFinite))
  const drawn = isDrawnShape(shape) && placed.length > 0 ? buildGeometry(shape, placed) : undefined
  const pointed = isDrawnShape(shape) ? drawn && findPin(drawn) : point
  const pin = pointed?.every(Number.isFinite) ? pointed : undefined
  const at = pin && findAreaAt(map, pin)
  const isInside = drawn ? placed.every((place) => findAreaAt(map, place)) : at !== undefined
  const found = isInside ? 'in-area' : map.areas.length > 0 ? 'outside' : 'somewhere'
  return { placed, drawn, pin, at, state: isMissed ? 'missed' : pin ? found : 'none' }
}

/** What is behind the place, in the part that is shown, and where that part is. */
const drawBackground = async (ctx: Ctx, typed: TypedPlace) => {
  const { layers, box, whole } = typed
  return {
    picture: box ? await drawLayeredPicture(ctx, typed, box) : null,
    layers: whole ? drawLayers(ctx, layers, createBoxView(whole), ENLARGED_ROUNDING) : [],
    view: box ? formatBox(box) : '',
    focus: box && whole && box.join() !== whole.join() ? box : null,
  }
}

const drawLayeredPicture = async (ctx: Ctx, { map, layers }: Pick<TypedPlace, 'map' | 'layers'>, box: Box): Promise<MapPictureView> => ({
  ...(await drawMap(ctx, map, box)),
  ...(layers.length > 0 && { layers: drawLayers(ctx, layers, createBoxView(box)) }),
})

function showFound(typed: TypedPlace, found: FoundOnMap | undefined): TypedPlace {
  if (!found) return { ...typed, isUnknown: true }
  const { box, areaId = typed.areaId } = found
  // A pin that lies elsewhere belongs to what was searched for before.
  const kept = typed.point && isInBox(typed.point, box) ? typed.point : undefined
  return { ...typed, areaId, box, found, point: isDrawnShape(typed.shape) ? typed.point : (found.point ?? kept) }
}
