import { PICTURE_SIZE, type Spot } from '#app/lib/map-picture.ts'
import type { FormValues } from '#app/server/forms.ts'

/** Widths at which the map is shown as an image to press, in CSS pixels; the style sheet has the same. */
const IMAGE_WIDTHS = { large: PICTURE_SIZE.width, small: 288 }

/** True if the form was sent by its map. @param name what the names of the map's fields begin with */
export const isMapPress = (values: FormValues, name = ''): boolean => Object.keys(IMAGE_WIDTHS).some((size) => `${name}${size}.x` in values)

/** Where the image was pressed, in units of the picture. A key press sends 0,0. */
export function readMapPress(values: FormValues, name = ''): Spot | 'missed' | undefined {
  for (const [size, width] of Object.entries(IMAGE_WIDTHS)) {
    const [x, y] = [values[`${name}${size}.x`], values[`${name}${size}.y`]]
    if (typeof x !== 'string' || typeof y !== 'string') continue
    const scale = PICTURE_SIZE.width / width
    const spot = [Number(x) * scale, Number(y) * scale] as const
    const isOnPicture = spot[0] >= 0 && spot[0] <= PICTURE_SIZE.width && spot[1] >= 0 && spot[1] <= PICTURE_SIZE.height + scale
    return isOnPicture && (spot[0] !== 0 || spot[1] !== 0) ? spot : 'missed'
  }
  return undefined
}
