import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { type ListSearch, useList } from '#app/shell/admin/use-list.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { CAMPAIGNS_PER_PAGE, smsCampaignsQuery } from '../../campaigns.queries.ts'
import { CampaignBadge } from '../../admin/CampaignBadge.tsx'
import { NewCampaign } from '../../admin/NewCampaign.tsx'
import { SmsTabs } from './SmsTabs.tsx'

/** Campaigns that the viewer may send or draft. */
export function SmsCampaignList({ page }: { page: number }) {
  const { t } = useTranslation('sms')
  const format = useFormat()
  const list = useList({ page }, (search: ListSearch) => linkOptions({ to: '/admin/campaigns', search }))
  const query = useQuery(smsCampaignsQuery(page))
  const { data } = query
  const navigate = useNavigate()
  const [making, setMaking] = useState(false)
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('campaigns.title')}
        meta={t('campaigns.text')}
        actions={<Button onClick={() => setMaking(true)}>{t('campaigns.new')}</Button>}
        tabs={<SmsTabs />}
      />
      <ListScreen
        list={list}
        caption={t('campaigns.title')}
        query={query}
        pageSize={CAMPAIGNS_PER_PAGE}
        none={<EmptyState title={t('campaigns.none')}>{t('campaigns.none-text')}</EmptyState>}
        columns={[
          {
            id: 'name',
            head: t('campaigns.name'),
            names: true,
            cell: (row) => (
              <Link to="/admin/campaigns/$id" params={{ id: row.id }}>
                {row.name}
              </Link>
            ),
          },
          {
            id: 'to',
            head: t('campaigns.to'),
            secondary: true,
            cell: (row) =>
              (data && (findLinked(data, row.relationships.project)?.title ?? findLinked(data, row.relationships.hub)?.title)) ??
              t('place.site'),
          },
          { id: 'sent', head: t('campaigns.texts'), align: 'end', cell: (row) => format.number(row.counts.prepared) },
          { id: 'at', head: t('campaigns.at'), secondary: true, cell: (row) => format.dateTime(row.sendAt ?? row.createdAt) },
          { id: 'status', head: t('messages.status'), underName: true, cell: (row) => <CampaignBadge status={row.status} /> },
        ]}
      />
      {making && (
        <NewCampaign
          title={t('campaigns.new')}
          placeHint={t('place.hint')}
          make={async (name, relationships) => {
            const made = await api.create('sms-campaigns', { attributes: { name }, relationships })
            await navigate({ to: '/admin/campaigns/$id', params: { id: made.data.id } })
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </div>
  )
}
