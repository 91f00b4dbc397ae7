import type { Box } from '#app/lib/geometry.ts'
import { PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'
import type { AreaMap } from '../area-map.schema.ts'
import type { Point } from '../polygons.schema.ts'

const PICTURE_MARGIN = 14
/** About a metre. */
const COORDINATE_DECIMALS = 5

/** What the picker says, in the words of the page that shows it. */
export interface PickerTexts {
  map: string
  hint: string
  nearer: string
  farther: string
  remove: string
  /** The button that uses the device's location, and its message if there is none. */
  position: string
  positionFailed: string
  /** @param area that the point lies in */
  describe: (point: string | undefined, area: string | undefined) => string
}

/** What the search above the map says. */
export interface SearchTexts {
  label: string
  hint: string
  button: string
  /** Names the list of suggestions. */
  suggestions: string
  /** Said when suggestions have come, or none has. */
  count: (found: number) => string
  none: string
  found: (name: string) => string
  /** Only the street was found, and a house number was typed. */
  withoutNumber: (name: string) => string
  unknown: string
  /** No answer came. */
  failed: string
}

/** What the picker of lines and areas says. */
export interface ShapePickerTexts {
  map: string
  hint: string
  nearer: string
  farther: string
  undo: string
  finish: string
  resume: string
}

/** In units of the whole picture, of its shape. */
export interface PicturePart {
  left: number
  top: number
  width: number
  height: number
}

export interface MapView {
  /** A place's position in the picture. */
  spotOf: (place: Point) => Spot
  /** The place at a position in the picture, to about a metre. */
  placeAt: (spot: Spot) => Point
  /** The box whose picture is a part of this one. */
  boxOf: (part: PicturePart) => Box
  /** Degrees for each unit of the picture. */
  unit: { lng: number; lat: number }
}

/** Fits areas into a picture, north up, with equal scale in both directions. */
export const createMapView = ({ areas, streets }: AreaMap): MapView =>
  createBoxView(areas.length === 0 && streets ? streets : measureBox(areas))

/** Everything that a map can show: areas, and what its streets cover. */
export function createWholeView({ areas, streets }: AreaMap): MapView {
  const boxes = [...(areas.length > 0 ? [measureBox(areas)] : []), ...(streets ? [streets] : [])]
  const edge = (at: 0 | 1 | 2 | 3, choose: (...values: number[]) => number) => choose(...boxes.map((box) => box[at]))
  return createBoxView([edge(0, Math.min), edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)])
}

/** The box around areas. */
export function measureBox(areas: AreaMap['areas']): Box {
  const all = areas.flatMap(({ rings }) => rings.flat())
  const findLeast = (axis: 0 | 1) => all.reduce((found, point) => Math.min(found, point[axis]), Infinity)
  const findMost = (axis: 0 | 1) => all.reduce((found, point) => Math.max(found, point[axis]), -Infinity)
  return [findLeast(0), findLeast(1), findMost(0), findMost(1)]
}

/** Fits a box into a picture, as `createMapView` does. */
export function createBoxView([west, south, east, north]: Box): MapView {
  const narrowing = Math.cos(((south + north) / 2) * (Math.PI / 180))
  const scale = Math.min(
    (PICTURE_SIZE.width - 2 * PICTURE_MARGIN) / ((east - west) * narrowing),
    (PICTURE_SIZE.height - 2 * PICTURE_MARGIN) / (north - south),
  )
  const left = (PICTURE_SIZE.width - (east - west) * narrowing * scale) / 2
  const top = (PICTURE_SIZE.height - (north - south) * scale) / 2
  const roundCoordinate = (value: number) => Number(value.toFixed(COORDINATE_DECIMALS))
  return {
    spotOf: ([lng, lat]) => [left + (lng - west) * narrowing * scale, top + (north - lat) * scale],
    unit: { lng: 1 / scale / narrowing, lat: 1 / scale },
    boxOf: ({ left: partLeft, top: partTop, width, height }) => {
      const [acrossMargin, downMargin] = [(PICTURE_MARGIN / PICTURE_SIZE.width) * width, (PICTURE_MARGIN / PICTURE_SIZE.height) * height]
      const toLng = (x: number) => west + (x - left) / scale / narrowing
      const toLat = (y: number) => north - (y - top) / scale
      return [
        toLng(partLeft + acrossMargin),
        toLat(partTop + height - downMargin),
        toLng(partLeft + width - acrossMargin),
        toLat(partTop + downMargin),
      ]
    },
    placeAt: ([x, y]) => [roundCoordinate(west + (x - left) / scale / narrowing), roundCoordinate(north - (y - top) / scale)],
  }
}

export const toSvgOutline = ({ spotOf }: MapView, rings: readonly (readonly Point[])[]): string =>
  rings
    .map(
      (ring) =>
        `M${ring
          .map((place) =>
            spotOf(place)
              .map((value) => value.toFixed(1))
              .join(' '),
          )
          .join('L')}Z`,
    )
    .join('')

/** Position and space for an area's label: the centre of its largest part, and its width in the picture. */
export function measureLabelBox({ spotOf }: MapView, rings: readonly (readonly Point[])[]): { middle: Spot; width: number } {
  const largest = rings.toSorted((a, b) => b.length - a.length)[0] ?? []
  const spots = largest.map(spotOf)
  const findRange = (axis: 0 | 1) => [Math.min(...spots.map((spot) => spot[axis])), Math.max(...spots.map((spot) => spot[axis]))] as const
  const [[left, right], [top, bottom]] = [findRange(0), findRange(1)]
  return { middle: [(left + right) / 2, (top + bottom) / 2], width: right - left }
}
