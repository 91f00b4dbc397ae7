import type { FormState } from '#app/server/request-context.ts'
import type { Box } from '#app/lib/geometry.ts'
import type { MapPicture, Spot } from '#app/lib/map-picture.ts'

/** The map of a question for a place, as it stands in the form. */
export interface PlaceMapView {
  /** Null until it was asked for: with JavaScript the browser draws the map. */
  picture: MapPicture | null
  /** Whose house numbers the search finds with the site's own address service; null if it has none. */
  addressSource: string | null
  /** What the picture shows, for the form. */
  view: string
  /** What to look at first, if it is not everything. */
  focus: Box | null
  spot: Spot | null
  state: 'none' | 'missed' | 'in-area' | 'outside'
  area: string
}

/** The field that says which button of which map was pressed; its value in the form that comes back. */
export const MAP_FIELD = 'map'
export const MAP_SHOWN = 'shown'

/** The form came back only because its map was used. */
export const isMapShown = ({ values }: FormState): boolean => values[MAP_FIELD] === MAP_SHOWN
