import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { DataUse } from '../opencities.schema.ts'

/** Everything that depends on a dataset, a connector or its areas, each linking to its editor. Renders nothing if nothing does. */
export function UseList({ title, uses }: { title: string; uses: readonly DataUse[] }) {
  const { t } = useTranslation('city-admin')
  if (uses.length === 0) return null
  return (
    <>
      <p>{title}</p>
      <ul className="admin-list use-list">
        {uses.map((use) => (
          <li key={`${use.kind}-${use.id}`}>
            <span>{t(`uses.${use.kind}`)}</span> <UseLink use={use} />
          </li>
        ))}
      </ul>
    </>
  )
}

function UseLink({ use: { kind, id, title } }: { use: DataUse }) {
  const { t } = useTranslation('city-admin')
  switch (kind) {
    case 'dataset':
      return (
        <Link to="/admin/city-data/datasets/$id" params={{ id }}>
          {title}
        </Link>
      )
    case 'homepage':
      return <Link to="/admin/homepage">{t('uses.open')}</Link>
    case 'hub-page':
      return <Link to="/admin/homepage">{title}</Link>
    case 'project-page':
    case 'project-area':
      return (
        <Link to="/admin/projects/$id" params={{ id }}>
          {title}
        </Link>
      )
    case 'newsletter':
      return (
        <Link to="/admin/newsletters/$id" params={{ id }}>
          {title}
        </Link>
      )
    case 'sms-campaign':
      return (
        <Link to="/admin/campaigns/$id" params={{ id }}>
          {title}
        </Link>
      )
    case 'section':
      return <span>{title}</span>
  }
}
