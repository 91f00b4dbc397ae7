import type { Sharp } from 'sharp'
import { AppError } from '#app/lib/app-error.ts'
import { createConcurrencyLimit } from '#app/lib/concurrency-limit.ts'
import type { PictureType } from '#app/lib/vocabulary/media.ts'
import { loadSharp } from '#app/server/load-sharp.ts'
import { MAX_PIXELS } from './media.schema.ts'

/** Longer side of stored pictures, in pixels; larger ones are scaled down. */
const MAX_SIDE_PX = 2560
const TYPE_BY_FORMAT: Readonly<Record<string, PictureType>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
}

/** Encoding uses whole CPU cores: only a few at once, so that pages still get answered. */
const drawingLimit = createConcurrencyLimit({ atOnce: 2, waiting: 60, full: () => new AppError('unavailable') })

export interface Picture {
  bytes: Buffer
  mediaType: PictureType
  width: number
  height: number
}

const createRefusal = (code: 'file-type-refused' | 'unreadable-picture') =>
  new AppError('invalid', { faults: [{ code, pointer: '/upload' }] })

/**
 * Reads an uploaded file: detects its type by content, turns it upright and re-encodes it, which strips location, author and any hidden
 * payload.
 * @throws {AppError} `invalid` with `file-type-refused`, `picture-too-large` or `unreadable-picture`
 */
export function readPicture(file: Buffer): Promise<Picture> {
  return drawingLimit(async () => {
    if (file.length === 0) throw createRefusal('file-type-refused')
    const sharp = await loadSharp()
    const found = await sharp(file, { limitInputPixels: false })
      .metadata()
      .catch(() => undefined)
    if (!found) throw createRefusal('file-type-refused')
    const format = found.format === 'heif' && found.compression === 'av1' ? 'avif' : found.format
    const mediaType = TYPE_BY_FORMAT[format]
    if (!mediaType) throw createRefusal('file-type-refused')
    if (found.width * (found.pageHeight ?? found.height) * (found.pages ?? 1) > MAX_PIXELS) {
      throw new AppError('invalid', {
        faults: [{ code: 'picture-too-large', pointer: '/upload', values: { max: MAX_PIXELS / 1_000_000 } }],
      })
    }
    try {
      const moves = mediaType === 'image/gif' || mediaType === 'image/webp'
      const drawn = sharp(file, { limitInputPixels: MAX_PIXELS, animated: moves, failOn: 'error' })
        .autoOrient()
        .resize({ width: MAX_SIDE_PX, height: MAX_SIDE_PX, fit: 'inside', withoutEnlargement: true })
      const { data, info } = await encodeAs(drawn, mediaType).toBuffer({ resolveWithObject: true })
      return { bytes: data, mediaType, width: info.width, height: info.pageHeight ?? info.height }
    } catch {
      throw createRefusal('unreadable-picture')
    }
  })
}

/**
 * Re-encodes a picture in another width and type.
 * @param file the stored original
 * @param options.still keep only the first frame of a picture that moves
 */
export function drawPicture(file: Buffer, width: number, mediaType: PictureType, { still = false } = {}): Promise<Buffer> {
  return drawingLimit(async () => {
    const sharp = await loadSharp()
    const moves = !still && (mediaType === 'image/gif' || mediaType === 'image/webp')
    return encodeAs(
      sharp(file, { limitInputPixels: MAX_PIXELS, animated: moves }).resize({ width, withoutEnlargement: true }),
      mediaType,
    ).toBuffer()
  })
}

function encodeAs(drawn: Sharp, mediaType: PictureType): Sharp {
  switch (mediaType) {
    case 'image/jpeg':
      return drawn.jpeg({ quality: 82, mozjpeg: true })
    case 'image/png':
      return drawn.png({ compressionLevel: 9 })
    case 'image/webp':
      return drawn.webp({ quality: 80 })
    case 'image/avif':
      return drawn.avif({ quality: 55, effort: 3 })
    case 'image/gif':
      return drawn.gif()
  }
}
