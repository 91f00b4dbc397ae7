import { getDirection } from '#app/lib/added-languages.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { buildPhotoAddress, PHOTO_WIDTHS, type PhotoView } from '../record/photos.schema.ts'

const [NARROW, WIDE] = PHOTO_WIDTHS

interface PhotoProps {
  photo: PhotoView
  /** The language of what it shows, if that is not the page's. */
  lang?: ContentLanguage | undefined
  /** How wide it is shown, as for `<img sizes>`; by default it is shown small. */
  sizes?: string
}

/** A photo with what it shows. */
export function Photo({ photo: { id, alt, width, height }, lang, sizes }: PhotoProps) {
  const hasWider = sizes !== undefined && width > NARROW
  return (
    <img
      src={buildPhotoAddress(id, sizes ? WIDE : NARROW)}
      srcSet={hasWider ? `${buildPhotoAddress(id, NARROW)} ${NARROW}w, ${buildPhotoAddress(id, WIDE)} ${width}w` : undefined}
      sizes={hasWider ? sizes : undefined}
      alt={alt}
      lang={lang}
      dir={getDirection(lang)}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
    />
  )
}

/** The photos of a contribution, one below the other. */
export function Photos({ photos, lang }: { photos: readonly PhotoView[]; lang?: ContentLanguage | undefined }) {
  if (photos.length === 0) return null
  return (
    <div className="photos">
      {photos.map((photo) => (
        <figure key={photo.id}>
          <Photo photo={photo} lang={lang} sizes="(min-width: 48em) 46rem, 100vw" />
        </figure>
      ))}
    </div>
  )
}
