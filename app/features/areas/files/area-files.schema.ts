import type { AreaMap } from '../area-map.schema.ts'
import type { Box } from '#app/lib/geometry.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Translated } from '#app/lib/translated.ts'
import type { LostArea } from '../areas.schema.ts'

export const MAX_AREA_FILE_BYTES = 20_000_000
export const MAX_COLUMN_LETTERS = 60

export type AreaFileFormat = 'geojson' | 'shapefile' | 'kml'

/** Why a shape of a file cannot become an area. */
export type ShapeFault = 'no-outline' | 'no-name'

/** Which columns of a file say what. */
export interface AreaColumns {
  /** Names by language; the site's main language is needed. */
  names: Partial<Record<ContentLanguage, string>>
  /** What the source calls an area, such as its code; an area that keeps it is the same one under any name. */
  key?: string | undefined
}

export type AreaChange = 'new' | 'changed' | 'same'

/** An area as a file has it. */
export interface FileArea {
  /** For a list: one file can have several without a name. */
  number: number
  name: string
  names: Translated
  key: string
  fault: ShapeFault | null
  /** Simplified outlines often do, a little. What lies inside is then decided by the even-odd rule. */
  isCrossing: boolean
  /** Shapes of the file with this name, which become one area. */
  parts: number
  /** What becomes of the site's areas; null if there is a fault, and then one of this name stays as it is. */
  change: AreaChange | null
  /** The name that it has on the site until then, if that is another. */
  was: string | null
}

/** What a file of areas holds, and what storing it would do. Nothing is stored yet. */
export interface AreaFilePreview {
  format: AreaFileFormat
  /** Each with a value of the first shapes that have one. */
  columns: { name: string; example: string }[]
  chosen: AreaColumns
  areas: FileArea[]
  /** Areas of the site that the file does not have, and what uses them. */
  missing: LostArea[]
  /** The file does not say which coordinates it uses: they are taken for degrees. */
  isProjectionGuessed: boolean
  /** Kilometres between the file's areas and the site's map, if it is far. */
  farKm: number | null
  /** The dataset that the site's areas come from until then. */
  dataset: string | null
  /** For drawing. */
  map: AreaMap
  box: Box
  /** Of the site's areas as they were when the preview was made. */
  version: string
}

/** How many areas of the site an upload has added, changed, removed, and set aside because something uses them. */
export interface StoredAreas {
  added: number
  changed: number
  removed: number
  setAside: number
}
