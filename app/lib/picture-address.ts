/**
 * Where a picture of the library is. Content holds `/media/{id}`, which stays when the picture is replaced. Pages are given
 * `/media/{id}/{version}/{width}#{width}x{height},{x},{y}`: one version, kept by browsers for good, and behind the hash what is needed to lay
 * it out. Any other path of the site is a picture too, of one size.
 */
const KEPT_ADDRESS = /^\/media\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

/** Widths that a picture is made in, in pixels, besides its own. */
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
/** Id of the picture that content names. */
export const findPictureId = (address: string): string | undefined => KEPT_ADDRESS.exec(address)?.[1]

export function buildShownAddress({ id, version, width, height, focalX, focalY }: PictureFacts, wanted = SHOWN_WIDTH): string {
  return `/media/${id}/${version}/${Math.min(wanted, width)}#${width}x${height},${focalX},${focalY}`
}

/** Attributes of an `<img>`, made on the server so that pages need no script for them. */
export interface PictureAttributes {
  src: string
  srcSet?: string
  /** As wide as pictures are shown at most; on a phone, all of it. */
  sizes?: string
  style?: { objectPosition: string }
}

/** A picture of any origin, by its address as pages are given it. */
export function buildPictureAttributes(address: string): PictureAttributes {
  const [src = '', facts] = address.split('#')
  if (!facts) return { src }
  const [width, , x, y] = facts.split(/[x,]/)
  const base = src.slice(0, src.lastIndexOf('/'))
  const widths = [...PICTURE_WIDTHS.filter((one) => one < Number(width)), width]
  const srcSet = widths.map((one) => `${base}/${one} ${one}w`).join(', ')
  return { src, srcSet, sizes: '(min-width: 60rem) 36rem, 100vw', style: { objectPosition: `${x}% ${y}%` } }
}
