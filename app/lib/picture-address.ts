/**
 * Addresses of media library pictures. Content stores `/media/{id}`, which stays the same if the picture is replaced. Pages get
 * `/media/{id}/{version}/{width}#{width}x{height},{x},{y}`: one immutable version, cacheable forever, with the layout data after the hash.
 * Any other path of the site is a picture in a single size.
 */
const KEPT_ADDRESS = /^\/media\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

/** Widths generated for each picture, in pixels, besides the original. */
export const PICTURE_WIDTHS = [320, 640, 960, 1280, 1920, 2560] as const
const SHOWN_WIDTH = 1280

export interface PictureFacts {
  id: string
  version: number
  width: number
  height: number
  focalX: number
  focalY: number
}

export const buildKeptAddress = (id: string): string => `/media/${id}`
/** Id of the picture that content refers to. */
export const findPictureId = (address: string): string | undefined => KEPT_ADDRESS.exec(address)?.[1]

export function buildShownAddress({ id, version, width, height, focalX, focalY }: PictureFacts, wanted = SHOWN_WIDTH): string {
  return `/media/${id}/${version}/${Math.min(wanted, width)}#${width}x${height},${focalX},${focalY}`
}

/** Attributes of an `<img>`, computed on the server so that pages need no script for them. */
export interface PictureAttributes {
  src: string
  srcSet?: string
  /** The widest size pictures are shown in; the full width on a phone. */
  sizes?: string
  style?: { objectPosition: string }
}

/** Attributes for any picture, given the address that pages get. */
export function buildPictureAttributes(address: string): PictureAttributes {
  const [src = '', facts] = address.split('#')
  if (!facts) return { src }
  const [width, , x, y] = facts.split(/[x,]/)
  const base = src.slice(0, src.lastIndexOf('/'))
  const widths = [...PICTURE_WIDTHS.filter((one) => one < Number(width)), width]
  const srcSet = widths.map((one) => `${base}/${one} ${one}w`).join(', ')
  return { src, srcSet, sizes: '(min-width: 60rem) 36rem, 100vw', style: { objectPosition: `${x}% ${y}%` } }
}
