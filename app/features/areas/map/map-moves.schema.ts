import type { Box } from '#app/lib/geometry.ts'
import { PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'
import type { MapView, PicturePart } from './map-view.schema.ts'

export const ZOOMS = [1, 2, 4, 8, 16, 32]
/** How far an arrow key moves, in picture units before zooming in. */
export const ARROW_STEP = 12
export const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export const ZOOM_KEYS: Readonly<Record<string, 'nearer' | 'farther'>> = { '+': 'nearer', '=': 'nearer', '-': 'farther' }

const clampTo = (value: number, most: number) => Math.min(Math.max(0, value), most)

/** A spot so many units away, still in the picture. */
export const moveSpot = ([x, y]: Spot, [right, down]: readonly [number, number], far: number): Spot => [
  clampTo(x + right * far, PICTURE_SIZE.width),
  clampTo(y + down * far, PICTURE_SIZE.height),
]

/** The part of the picture that is shown around a spot. */
export function findWindow([x, y]: Spot, zoom: number): PicturePart {
  const [width, height] = [PICTURE_SIZE.width / zoom, PICTURE_SIZE.height / zoom]
  return {
    left: clampTo(x - width / 2, PICTURE_SIZE.width - width),
    top: clampTo(y - height / 2, PICTURE_SIZE.height - height),
    width,
    height,
  }
}

/** Streets are asked for half as large again as what is shown, in steps, so that small moves need no other. */
const STREETS_SHARE = 1.5
const STREETS_STEPS = 4

/** The part of the picture whose streets are drawn for what is shown. */
export function findStreetsPart({ left, top, width, height }: PicturePart): PicturePart {
  const snapTo = (value: number, step: number) => Math.round(value / step) * step
  const x = snapTo(left + width / 2, width / STREETS_STEPS)
  const y = snapTo(top + height / 2, height / STREETS_STEPS)
  const [wide, high] = [width * STREETS_SHARE, height * STREETS_SHARE]
  return { left: x - wide / 2, top: y - high / 2, width: wide, height: high }
}

/** How the map opens: on a box if there is one to look at. */
export function findStart(view: MapView, focus: Box | undefined): { zoom: number; middle: Spot } {
  if (!focus) return { zoom: 1, middle: [PICTURE_SIZE.width / 2, PICTURE_SIZE.height / 2] }
  const [west, south, east, north] = focus
  const [[left, bottom], [right, top]] = [view.spotOf([west, south]), view.spotOf([east, north])]
  const fits = ZOOMS.findLast((each) => (right - left) * each <= PICTURE_SIZE.width && (bottom - top) * each <= PICTURE_SIZE.height)
  return { zoom: fits ?? 1, middle: [(left + right) / 2, (top + bottom) / 2] }
}
