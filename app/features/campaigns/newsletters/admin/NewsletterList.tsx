import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { type ListSearch, useList } from '#app/shell/admin/use-list.tsx'
import { api } from '#app/shell/api.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { CampaignBadge } from '../../admin/CampaignBadge.tsx'
import { NewCampaign } from '../../admin/NewCampaign.tsx'
import { CAMPAIGNS_PER_PAGE, newslettersQuery } from '../../campaigns.queries.ts'

/** Newsletters that the viewer may send or draft. */
export function NewsletterList({ page }: { page: number }) {
  const { t } = useTranslation('letters')
  const { t: texts } = useTranslation('sms')
  const format = useFormat()
  const navigate = useNavigate()
  const list = useList({ page }, (search: ListSearch) => linkOptions({ to: '/admin/newsletters', search }))
  const query = useQuery(newslettersQuery(page))
  const { data } = query
  const [making, setMaking] = useState(false)
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
      <ListScreen
        list={list}
        caption={t('title')}
        query={query}
        pageSize={CAMPAIGNS_PER_PAGE}
        none={<EmptyState title={t('none')}>{t('none-text')}</EmptyState>}
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
          { id: 'status', head: texts('messages.status'), underName: true, cell: (row) => <CampaignBadge status={row.status} /> },
        ]}
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
