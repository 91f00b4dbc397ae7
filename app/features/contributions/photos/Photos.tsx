import { getDirection } from '#app/lib/added-languages.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { TranslatedTexts } from '#app/lib/vocabulary/contributions.ts'
import { buildPhotoPart } from '../record/translations.schema.ts'
import { buildPhotoAddress, PHOTO_WIDTHS, type PhotoView } from '../record/photos.schema.ts'

const [NARROW, WIDE] = PHOTO_WIDTHS

interface PhotoProps {
  photo: PhotoView
  /** The language of what it shows, if that is not the page's. */
  lang?: ContentLanguage | undefined
  /** The contribution's texts in the page's language, if the reader asked for that. */
  translated?: TranslatedTexts | undefined
  /** How wide it is shown, as for `<img sizes>`; by default it is shown small. */
  sizes?: string
}

/** A photo with what it shows. */
export function Photo({ photo: { id, alt, width, height }, lang, translated, sizes }: PhotoProps) {
  const other = translated?.[buildPhotoPart(id)]
  const hasWider = sizes !== undefined && width > NARROW
  return (
    <img
      src={buildPhotoAddress(id, sizes ? WIDE : NARROW)}
      srcSet={hasWider ? `${buildPhotoAddress(id, NARROW)} ${NARROW}w, ${buildPhotoAddress(id, WIDE)} ${width}w` : undefined}
      sizes={hasWider ? sizes : undefined}
      alt={other || alt}
      lang={other ? undefined : lang}
      dir={other ? undefined : getDirection(lang)}
      width={width}
      height={height}
      loading="lazy"
      decoding="async"
    />
  )
}

/** The photos of a contribution, one below the other. */
export function Photos({ photos, ...texts }: { photos: readonly PhotoView[] } & Pick<PhotoProps, 'lang' | 'translated'>) {
  if (photos.length === 0) return null
  return (
    <div className="photos">
      {photos.map((photo) => (
        <figure key={photo.id}>
          <Photo photo={photo} {...texts} sizes="(min-width: 48em) 46rem, 100vw" />
        </figure>
      ))}
    </div>
  )
}
