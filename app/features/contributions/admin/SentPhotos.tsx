import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'

interface SentPhotosProps {
  photos: Resource<'contributions'>['photos']
  /** The language of what they show. */
  lang: ContentLanguage
}

/** The photos of a contribution with what they are said to show: both are read before it is published. */
export function SentPhotos({ photos, lang }: SentPhotosProps) {
  const { t } = useTranslation('contributions-admin')
  if (photos.length === 0) return null
  return (
    <ul className="moderated-photos" aria-label={t('queue.photos')}>
      {photos.map(({ address, alt, width, height }) => (
        <li key={address}>
          <a href={address} target="_blank" rel="noreferrer">
            <img src={address} alt={alt} lang={lang} dir={getDirection(lang)} width={width} height={height} loading="lazy" />
          </a>
          <p lang={lang} dir={getDirection(lang)}>
            {alt}
          </p>
        </li>
      ))}
    </ul>
  )
}
