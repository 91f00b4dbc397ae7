/** What may be uploaded into the library, told by content. SVG is not among them: it can hold scripts. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

export const MAX_PICTURE_BYTES = 20_000_000
export const MAX_PIXELS = 50_000_000
/** An upload arrives in pieces of at most this many bytes. */
export const MAX_CHUNK_BYTES = 1_000_000

/** Kinds of things that show a picture. */
export const PLACE_KINDS = ['project', 'hub', 'homepage', 'hub-page', 'appearance', 'survey', 'section'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]

/** Where a picture is shown. What the viewer may not edit has no name. */
export interface MediaPlace {
  kind: PlaceKind
  id: string
  title: string | null
}

/** Address that the pieces of an upload are sent to. */
export const buildUploadPath = (id: string): string => `/media/uploads/${id}`
