/** Per contribution; an activity may ask for fewer. */
export const MAX_PHOTOS = 3
export const MAX_PHOTO_MEGABYTES = 10
export const MAX_PHOTO_ALT = 250
/** What a photo may be when it is sent. It is stored as WebP. */
export const PHOTO_TYPES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp']
/** Widths that photos are stored in, in pixels; smaller photos keep their own. */
export const PHOTO_WIDTHS = [480, 1280] as const
export type PhotoWidth = (typeof PHOTO_WIDTHS)[number]

export interface PhotoView {
  id: string
  alt: string
  /** Of the wider one. */
  width: number
  height: number
}

/** A photo that the form brought already, in one of its places. */
export interface KeptPhotoView extends PhotoView {
  slot: number
}

export const buildPhotoAddress = (id: string, width: PhotoWidth = 1280): string => `/media/photos/${id}/${width}`

/** The places for photos in a form. */
export const listPhotoSlots = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)
/** Names of a place's fields: the file, the id of the one that is kept, and what it shows. */
export const PHOTO_FIELDS = { file: 'photo', kept: 'kept-photo', alt: 'alt' } as const
export const buildPhotoField = (field: keyof typeof PHOTO_FIELDS, slot: number): string => `${PHOTO_FIELDS[field]}-${slot}`
