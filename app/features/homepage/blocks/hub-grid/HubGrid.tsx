import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'

export function HubGrid({ block, page }: BlockProps<'hub_grid'>) {
  const { t } = useTranslation('participant')
  return (
    <BlockSection id={block.id} title={block.title} fallback={t('home.hubs')} link={<Link to="/hubs">{t('home.all-hubs')}</Link>}>
      <div className="card-grid hub-grid">
        {block.data.hubs.map((hub) => (
          <Fragment key={hub.id}>{page.renderHub(hub)}</Fragment>
        ))}
      </div>
    </BlockSection>
  )
}
