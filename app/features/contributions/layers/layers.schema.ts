import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { LayerPattern } from '#app/lib/vocabulary/contributions.ts'

export const MAX_LAYERS = 10
export const MAX_LAYER_BYTES = 5_000_000
export const FEATURES_PER_PAGE = 50

/** What a layer consists of, in the order it is drawn. */
export const LAYER_PARTS = ['areas', 'lines', 'points'] as const
export type LayerPart = (typeof LAYER_PARTS)[number]

/** A layer as it is listed beside a map. */
export interface LayerName {
  /** In its address. */
  number: number
  name: LocalisedText
  pattern: LayerPattern
  parts: readonly LayerPart[]
}

/** A layer in a picture of `PICTURE_SIZE`: SVG paths of what is in sight. The vertices of `points` are where its marks stand. */
export type LayerPicture = LayerName & Partial<Record<LayerPart, string>>

/** One page of a layer's table. */
export interface LayerTableView {
  number: number
  name: LocalisedText
  features: number
  isSimplified: boolean
  columns: readonly string[]
  /** A text for each column. */
  rows: readonly { number: number; cells: readonly string[] }[]
  page: number
  pages: number
}
