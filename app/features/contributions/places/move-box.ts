import { PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'
import type { MapMoves } from '../record/places.schema.ts'

interface Moved {
  /** In units of the picture. */
  right: number
  down: number
  steps: number
  /** The point that keeps its place while the map is zoomed, as fractions of the picture's width and height. */
  at: Spot
}

/** The box that is shown after the map was moved and zoomed about a place in it. */
export function findMovedBox(
  { shown: [west, south, east, north], unit }: Pick<MapMoves, 'shown' | 'unit'>,
  { right, down, steps, at }: Moved,
): string {
  const [lng, lat] = [(west + east) / 2 - right * unit.lng, (south + north) / 2 + down * unit.lat]
  const larger = 2 ** steps
  const shift = 1 - 1 / larger
  const middle = [
    lng + (at[0] - 0.5) * PICTURE_SIZE.width * unit.lng * shift,
    lat - (at[1] - 0.5) * PICTURE_SIZE.height * unit.lat * shift,
  ] as const
  const half = [(east - west) / 2 / larger, (north - south) / 2 / larger] as const
  const box = [middle[0] - half[0], middle[1] - half[1], middle[0] + half[0], middle[1] + half[1]]
  return box.map((edge) => Number(edge.toFixed(6))).join()
}
