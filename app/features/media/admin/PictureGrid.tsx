import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { buildPictureAttributes } from '#app/lib/picture-address.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { Badge } from '#app/ui/admin/badge.tsx'
import type { PictureDocument } from '../media.queries.ts'

interface PictureGridProps {
  pictures: readonly PictureDocument[]
  /** Renders a link to the picture, or a button that selects it, labelled with its name. */
  control: (picture: PictureDocument, name: string) => ReactNode
}

/** A grid of pictures with their names and what is missing. */
export function PictureGrid({ pictures, control }: PictureGridProps) {
  const { t } = useTranslation('media')
  const format = useFormat()
  const { languages } = useSite()
  return (
    <ul className="picture-grid">
      {pictures.map((picture) => {
        const missing = languages.filter((language) => !picture.altTranslations?.[language]?.trim() && picture.meta.can.update).length
        return (
          <li key={picture.id} className="picture-tile">
            <img {...buildPictureAttributes(picture.shown)} sizes="14rem" alt={picture.alt} width={320} height={213} loading="lazy" />
            <p className="picture-name">{control(picture, picture.name)}</p>
            <p className="meta">
              {t('size', {
                width: format.number(picture.width),
                height: format.number(picture.height),
                bytes: format.bytes(picture.bytes),
              })}
            </p>
            {missing > 0 && <Badge tone="warn">{t('lacks', { count: missing })}</Badge>}
          </li>
        )
      })}
    </ul>
  )
}
