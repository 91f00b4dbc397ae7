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
  /** If the site has a map file. */
  /** Streets, water, parks and buildings of the site's map file, as SVG that the server made. */
  streets?: string
  /** Who made the map file. */
  credit?: string
}

/** What is drawn below everything else, the lowest first. */
export const STREET_KINDS = ['green', 'water', 'stream', 'building', 'rail', 'path', 'lane', 'street', 'main', 'major'] as const
export type StreetKind = (typeof STREET_KINDS)[number]

/** An SVG path of one kind. */
export interface StreetPath {
  kind: StreetKind
  path: string
  /** Of a line, in units of its path. */
  width?: number
  /** Of the darker line below it, if there is room for one. */
  casing?: number
}

export interface StreetName {
  name: string
  kind: 'street' | 'main' | 'water' | 'green' | 'place' | 'town'
  spot: Spot
  /** Degrees, clockwise. */
  turned: number
  /** On which screens there is room for it. */
  fits: 'always' | 'wide' | 'narrow'
}
