import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { CAMPAIGNS_PER_PAGE, smsCampaignsQuery } from '../../campaigns.queries.ts'
import { CampaignBadge } from '../../admin/CampaignBadge.tsx'
import { NewCampaign } from '../../admin/NewCampaign.tsx'
import { SmsTabs } from './SmsTabs.tsx'

/** Campaigns that the viewer may send or draft. */
export function SmsCampaignList({ page }: { page: number }) {
  const { t } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { data, isError, isPending } = useQuery(smsCampaignsQuery(page))
  const navigate = useNavigate()
  const [making, setMaking] = useState(false)
  const total = typeof data?.meta['total'] === 'number' ? data.meta['total'] : 0
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('campaigns.title')}
        meta={t('campaigns.text')}
        actions={<Button onClick={() => setMaking(true)}>{t('campaigns.new')}</Button>}
        tabs={<SmsTabs />}
      />
      <DataTable
        caption={t('campaigns.title')}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        state={isError ? 'error' : isPending ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('campaigns.none')}>{t('campaigns.none-text')}</EmptyState>}
        error={<Notice kind="error" title={admin('load-failed')} />}
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
          { id: 'status', head: t('messages.status'), cell: (row) => <CampaignBadge status={row.status} /> },
        ]}
        foot={
          total > CAMPAIGNS_PER_PAGE && (
            <Pagination
              label={admin('pages.label')}
              page={page}
              pages={Math.ceil(total / CAMPAIGNS_PER_PAGE)}
              previous={admin('pages.previous')}
              next={admin('pages.next')}
              pageLabel={(number) => admin('pages.page', { number })}
              link={(number, children, attributes) => (
                <Link to="/admin/campaigns" search={number === 1 ? {} : { page: number }} {...attributes}>
                  {children}
                </Link>
              )}
            />
          )
        }
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
