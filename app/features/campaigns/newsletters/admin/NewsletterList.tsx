import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { api } from '#app/shell/api.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { TableFoot } from '#app/shell/table-foot.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { CampaignBadge } from '../../admin/CampaignBadge.tsx'
import { NewCampaign } from '../../admin/NewCampaign.tsx'
import { CAMPAIGNS_PER_PAGE, newslettersQuery } from '../../campaigns.queries.ts'

/** Newsletters that the viewer may send or draft. */
export function NewsletterList({ page }: { page: number }) {
  const { t } = useTranslation('letters')
  const { t: texts } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const navigate = useNavigate()
  const { data, isError, isPending } = useQuery(newslettersQuery(page))
  const [making, setMaking] = useState(false)
  const total = typeof data?.meta['total'] === 'number' ? data.meta['total'] : 0
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('title')}
        meta={t('text')}
        actions={
          <>
            {useViewer()?.roleName === 'site_admin' && (
              <a href="/admin/mail-consents.csv" download>
                {t('ledger')}
              </a>
            )}
            <Button onClick={() => setMaking(true)}>{t('new')}</Button>
          </>
        }
      />
      <DataTable
        caption={t('title')}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        state={isError ? 'error' : isPending ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('none')}>{t('none-text')}</EmptyState>}
        error={<Notice kind="error" title={admin('load-failed')} />}
        columns={[
          {
            id: 'name',
            head: texts('campaigns.name'),
            names: true,
            cell: (row) => (
              <Link to="/admin/newsletters/$id" params={{ id: row.id }}>
                {row.name}
              </Link>
            ),
          },
          {
            id: 'to',
            head: texts('campaigns.to'),
            secondary: true,
            cell: (row) =>
              (data && (findLinked(data, row.relationships.project)?.title ?? findLinked(data, row.relationships.hub)?.title)) ??
              texts('place.site'),
          },
          { id: 'sent', head: t('mails'), align: 'end', cell: (row) => format.number(row.counts.prepared) },
          { id: 'at', head: texts('campaigns.at'), secondary: true, cell: (row) => format.dateTime(row.sendAt ?? row.createdAt) },
          { id: 'status', head: texts('messages.status'), cell: (row) => <CampaignBadge status={row.status} /> },
        ]}
        foot={
          <TableFoot
            total={total}
            page={page}
            size={CAMPAIGNS_PER_PAGE}
            link={(number, children, attributes) => (
              <Link to="/admin/newsletters" search={number === 1 ? {} : { page: number }} {...attributes}>
                {children}
              </Link>
            )}
          />
        }
      />
      {making && (
        <NewCampaign
          title={t('new')}
          placeHint={t('place-hint')}
          make={async (name, relationships) => {
            const made = await api.create('newsletters', { attributes: { name }, relationships })
            await navigate({ to: '/admin/newsletters/$id', params: { id: made.data.id } })
          }}
          onClose={() => setMaking(false)}
        />
      )}
    </div>
  )
}
