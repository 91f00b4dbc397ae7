import { searchOnMap } from '#app/features/areas/map/find-on-map.server.ts'
import { doubleBox, halveBox } from '#app/features/areas/map/map-boxes.server.ts'
import { createBoxView } from '#app/features/areas/map/map-view.schema.ts'
import { readMapPress } from '#app/features/areas/map/press-map.server.ts'
import { drawMap, readSiteMap, type SiteMap } from '#app/features/areas/map/site-map.server.ts'
import { isPointInside } from '#app/features/areas/polygons.schema.ts'
import { loadGeocoder } from '#app/features/marketplace/geocoding.server.ts'
import type { Definition } from '#app/features/surveys/surveys.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type Box, formatBox, isInBox, parseBox, type Position } from '#app/lib/geometry.ts'
import type { Spot } from '#app/lib/map-picture.ts'
import type { Ctx } from '#app/server/context.ts'
import type { FormValues } from '#app/server/forms.ts'
import { listQuestions } from '../../answers.ts'
import { buildFieldName } from '../../field-names.ts'
import { MAP_FIELD, MAP_SHOWN, type PlaceMapView } from './place-map.schema.ts'

const STEP = /^(whole|find|nearer|farther|clear) ([\w-]{1,80})$/
const PRESSED = /^q\.([\w-]{1,80})\.(?:large|small)\.x$/
const SOUGHT = /^q\.([\w-]{1,80})\.find$/

interface MapStep {
  question: string
  step: 'whole' | 'find' | 'nearer' | 'farther' | 'clear' | 'press'
}

/**
 * The form's values after a button of a place's map, or the map itself, was pressed without JavaScript; undefined if none was.
 * @throws {AppError} `invalid` with `place-unknown` if nothing was found
 */
export async function takeMapStep(ctx: Ctx, values: FormValues): Promise<FormValues | undefined> {
  const taken = findMapStep(values)
  if (!taken) return undefined
  const changed = await changeMap(ctx, taken, values)
  const fields = Object.entries(changed).map(([part, value]) => [buildFieldName(taken.question, part), value])
  return { ...values, ...Object.fromEntries(fields), [MAP_FIELD]: MAP_SHOWN }
}

function findMapStep(values: FormValues): MapStep | undefined {
  const [, step, question] = STEP.exec(readText(values, MAP_FIELD)) ?? []
  if (step && question) return { step: step as MapStep['step'], question }
  for (const name of Object.keys(values)) {
    const [, pressed] = PRESSED.exec(name) ?? []
    if (pressed) return { step: 'press', question: pressed }
    const [, sought] = SOUGHT.exec(name) ?? []
    // A search term that was typed but not searched for is searched now, so that it is not lost.
    if (sought && readText(values, name) && isPlaceEmpty(values, sought) && !values['go']) return { step: 'find', question: sought }
  }
  return undefined
}

const isPlaceEmpty = (values: FormValues, question: string): boolean =>
  ['address', 'lat', 'lng'].every((part) => !readText(values, buildFieldName(question, part)))

async function changeMap(ctx: Ctx, { question, step }: MapStep, values: FormValues): Promise<Record<string, string>> {
  const read = (part: string) => readText(values, buildFieldName(question, part))
  const { box: whole } = await readSiteMap(ctx)
  const box = parseBox(read('view')) ?? whole
  if (!box || !whole) return {}
  const point = readPoint(read)
  const shown = { view: formatBox(box) }
  switch (step) {
    case 'whole':
      return { view: formatBox(whole) }
    case 'nearer':
      return { view: formatBox(halveBox(box, point)) }
    case 'farther':
      return { view: formatBox(doubleBox(box, whole) ?? whole) }
    case 'clear':
      return { ...shown, lat: '', lng: '' }
    case 'press': {
      const press = readMapPress(values, `${buildFieldName(question)}.`)
      return press && press !== 'missed' ? { ...shown, ...toFields(createBoxView(box).placeAt(press)) } : shown
    }
    case 'find': {
      const sought = read('find')
      const [found] = await searchOnMap(ctx, sought)
      if (!found) throw new AppError('invalid', { faults: [{ code: 'place-unknown', pointer: `/${buildFieldName(question, 'find')}` }] })
      return {
        view: formatBox(found.box),
        address: read('address') || found.name,
        ...(found.point ? toFields(found.point) : !(point && isInBox(point, found.box)) && { lat: '', lng: '' }),
      }
    }
  }
}

const readText = (values: FormValues, name: string): string => {
  const sent = values[name]
  return typeof sent === 'string' ? sent.trim() : ''
}

const toFields = ([lng, lat]: Position) => ({ lng: String(lng), lat: String(lat) })

function readPoint(read: (part: string) => string): Position | undefined {
  const [lng, lat] = (['lng', 'lat'] as const).map((part) => (read(part) ? Number(read(part).replace(',', '.')) : Number.NaN))
  return Number.isFinite(lng) && Number.isFinite(lat) ? [lng ?? 0, lat ?? 0] : undefined
}

/** The maps of a survey's questions for places; none if the site has neither areas nor a map file. */
export async function drawPlaceMaps(ctx: Ctx, definition: Definition, values: FormValues = {}): Promise<Record<string, PlaceMapView>> {
  const places = listQuestions(definition).filter(({ type }) => type === 'place')
  if (places.length === 0) return {}
  const map = await readSiteMap(ctx)
  const { box: whole } = map
  if (!whole) return {}
  const drawn = await Promise.all(places.map(async ({ id }) => [id, await drawPlaceMap(ctx, { map, whole }, id, values)] as const))
  return Object.fromEntries(drawn)
}

async function drawPlaceMap(ctx: Ctx, { map, whole }: { map: SiteMap; whole: Box }, id: string, values: FormValues): Promise<PlaceMapView> {
  const read = (part: string) => readText(values, buildFieldName(id, part))
  const box = parseBox(read('view'))
  const point = readPoint(read)
  const area = point && map.areas.find(({ rings }) => isPointInside(point, rings))
  return {
    picture: box ? await drawMap(ctx, map, box) : null,
    addressSource: (await loadGeocoder(ctx))?.attribution ?? null,
    view: box ? formatBox(box) : '',
    focus: box && formatBox(box) !== formatBox(whole) ? box : null,
    spot: (box && point && findSpot(box, point)) ?? null,
    state: readMapPress(values, `${buildFieldName(id)}.`) === 'missed' ? 'missed' : area ? 'in-area' : point ? 'outside' : 'none',
    area: area?.name ?? '',
  }
}

function findSpot(box: Box, point: Position): Spot {
  const [x, y] = createBoxView(box).spotOf(point)
  return [Math.round(x), Math.round(y)]
}
