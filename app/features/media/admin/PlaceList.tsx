import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { MediaPlace } from '../media.schema.ts'

/** Where a picture is used, each entry linking to its editor. */
export function PlaceList({ places }: { places: readonly MediaPlace[] }) {
  const { t } = useTranslation('media')
  if (!places.length) return <p>{t('nowhere')}</p>
  return (
    <ul className="admin-list">
      {places.map((place) => (
        <li key={`${place.kind}-${place.id}`}>
          <span>{t(`places.${place.kind}`)}</span>
          {place.title === null ? <span className="meta">{t('not-yours')}</span> : <PlaceLink place={place} title={place.title} />}
        </li>
      ))}
    </ul>
  )
}

function PlaceLink({ place: { kind, id }, title }: { place: MediaPlace; title: string }) {
  const { t } = useTranslation('media')
  switch (kind) {
    case 'project':
      return (
        <Link to="/admin/projects/$id" params={{ id }}>
          {title}
        </Link>
      )
    case 'hub':
      return (
        <Link to="/admin/hubs/$id" params={{ id }}>
          {title}
        </Link>
      )
    case 'survey':
      return (
        <Link to="/admin/surveys/$survey" params={{ survey: id }}>
          {title}
        </Link>
      )
    case 'page':
      return (
        <Link to="/admin/pages/$id" params={{ id }}>
          {title}
        </Link>
      )
    case 'update':
      return (
        <Link to="/admin/updates/$id" params={{ id }}>
          {title}
        </Link>
      )
    case 'appearance':
      return <Link to="/admin/appearance">{t('open')}</Link>
    case 'homepage':
      return <Link to="/admin/homepage">{t('open')}</Link>
    case 'hub-page':
      return <Link to="/admin/homepage">{title}</Link>
    case 'section':
      return <span>{title}</span>
  }
}
