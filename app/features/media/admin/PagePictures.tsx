import { useTranslation } from 'react-i18next'
import type { PagePicture } from '../media.schema.ts'
import { PlaceList } from './PlaceList.tsx'

interface PagePicturesProps {
  pictures: readonly PagePicture[]
  /** Makes each of them a choice. */
  onChoose?: (address: string) => void
}

/** The pictures that pages show without the library, with the places that show them. */
export function PagePictures({ pictures, onChoose }: PagePicturesProps) {
  const { t } = useTranslation('media')
  if (pictures.length === 0) return null
  return (
    <section className="admin-stack" aria-labelledby="page-pictures">
      <h2 id="page-pictures">{t('on-pages')}</h2>
      {!onChoose && <p className="field-hint">{t('on-pages-text')}</p>}
      <ul className="picture-grid">
        {pictures.map(({ address, places }) => (
          <li key={address} className="picture-tile">
            <img src={address} alt="" width={320} height={213} loading="lazy" />
            <p className="picture-name">
              {onChoose ? (
                <button type="button" className="link-button" onClick={() => onChoose(address)}>
                  <span className="visually-hidden">{t('take')} </span>
                  {getFileName(address)}
                </button>
              ) : (
                getFileName(address)
              )}
            </p>
            {/* Links would lead away from what is being written. */}
            {!onChoose && <PlaceList places={places} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

export const getFileName = (address: string): string => address.slice(address.lastIndexOf('/') + 1)
