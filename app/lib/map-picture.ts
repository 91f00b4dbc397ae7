/** Every map is drawn in a picture of this size. */
export const PICTURE_SIZE = { width: 640, height: 420 }

export type Spot = readonly [x: number, y: number]

/** What is behind the points of a map. Positions are in a picture of `PICTURE_SIZE`. */
export interface MapPicture {
  /** Outlines of the areas, as SVG paths. */
  outlines: readonly string[]
  labels: readonly { name: string; spot: Spot; fits: 'always' | 'wide' }[]
  /** Areas whose names do not fit on a narrow screen: a letter stands in each, and a list beside the map says what it stands for. */
  letters?: readonly { letter: string; name: string; spot: Spot }[]
}
