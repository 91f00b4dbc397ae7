import type { MapPicture, Spot } from '#app/lib/map-picture.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { LayerPicture } from '../layers/layers.schema.ts'
import type { DrawnSize, Shape } from './drawing.schema.ts'

export interface MapPictureView extends MapPicture {
  /** Above the areas, the lowest first. */
  layers?: readonly LayerPicture[]
}

export interface MapPin {
  number: number
  title: string
  place: string
  /** Set if the title is not in the page's language. */
  lang?: ContentLanguage
  spot: Spot
  /** The code of its status. */
  sign?: string
  /** By what the list is sorted. */
  rank: number
  drawn?: DrawnMapView
}

/** A line or an area on a map. */
export interface DrawnMapView extends DrawnSize {
  /** An SVG path. */
  outline: string
}

/** Several places that are too close to be told apart. */
export interface MapBubble {
  total: number
  spot: Spot
  /** What it narrows the map to. */
  box: string
  /** True if the map does not get closer. */
  isSmallest: boolean
  /** A street or an area. */
  near?: string
}

/** The map of an activity's list: all places that match, not only those of the page. */
export interface PlacesMapView extends MapPictureView {
  pins: readonly MapPin[]
  bubbles: readonly MapBubble[]
  placed: number
  /** That match, but have no pin. */
  unplaced: number
  /** Whose addresses the search knows, besides what the site knows. */
  addressSource: string | null
  isNarrowed: boolean
  /** A box around what is shown, twice as large; absent if that is the whole map. */
  wider?: string
  moves?: MapMoves
}

/** Boxes that a map can be moved to, and the one that it shows. */
export interface MapMoves extends Record<(typeof MAP_DIRECTIONS)[number], string> {
  shown: readonly [west: number, south: number, east: number, north: number]
  /** Degrees for each unit of the picture. */
  unit: { lng: number; lat: number }
  /** Absent if the map does not get closer. */
  nearer?: string
  /** Absent if the whole map is shown. */
  farther?: string
}
export const MAP_DIRECTIONS = ['west', 'north', 'south', 'east'] as const

/** Where somebody who writes has pointed so far. */
export interface PlaceWritingView {
  picture: MapPictureView | null
  /** True if a browser with JavaScript can draw the map. */
  hasAreas: boolean
  /** Layers as the whole map shows them, for a browser with JavaScript to enlarge. */
  layers: readonly LayerPicture[]
  /** What the picture shows, for the form. */
  view: string
  /** What to look at first, if it is not everything. */
  focus: readonly [number, number, number, number] | null
  lng: string
  lat: string
  spot: Spot | null
  /** What may be put on the map. */
  shapes: readonly Shape[]
  shape: Shape
  /** Of a line or an area, as the form's field holds them. */
  points: string
  /** Where they are in the picture, and the areas they lie in. */
  spots: readonly { spot: Spot; area: string }[]
  drawn: DrawnMapView | null
  /** No more points are added. */
  isFinished: boolean
  /** Whose house numbers the search finds with the site's own address service; null if it has none. */
  addressSource: string | null
  /** What the search has found, if that was the last step. */
  found: { name: string; isWithoutNumber: boolean } | null
  /** Everything said about the place in words. */
  words: string
  areaId: string
  /** In words: a name, or how the point lies. */
  area: string
  state: 'none' | 'missed' | 'in-area' | 'outside' | 'somewhere'
  /** Everything is valid, and waits to be sent. */
  isCheck: boolean
}

/** One contribution's place on its page. */
export interface ContributionMapView extends MapPictureView {
  spot: Spot
  drawn?: DrawnMapView
  /** A box around it, to see its neighbours. */
  box: string
}
