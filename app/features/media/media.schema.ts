export const MAX_PICTURE_BYTES = 20_000_000
export const MAX_PIXELS = 50_000_000
/** Maximum size of an upload chunk. */
export const MAX_CHUNK_BYTES = 1_000_000

export const PLACE_KINDS = ['project', 'hub', 'homepage', 'hub-page', 'appearance', 'survey', 'page', 'update', 'section'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]

/** A place that shows the picture. `title` is null if the viewer may not edit it. */
export interface MediaPlace {
  kind: PlaceKind
  id: string
  title: string | null
}

/** A picture that pages show without the library: its address, and where. */
export interface PagePicture {
  address: string
  places: MediaPlace[]
}

/** URL that upload chunks are sent to. */
export const buildUploadPath = (id: string): string => `/media/uploads/${id}`
