import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageButtons } from '#app/shell/admin/page-buttons.tsx'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { campaignFailuresQuery, RECIPIENTS_PER_PAGE } from '../campaigns.queries.ts'

/** Whom a campaign did not reach, and why, in pages. */
export function CampaignFailures({ campaign }: { campaign: string }) {
  const { t } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { t: errors } = useTranslation('errors')
  const format = useFormat()
  const seesPeople = useViewer()?.roleName === 'site_admin'
  const [page, setPage] = useState(1)
  const { data, isError, isPending, isPlaceholderData } = useQuery(campaignFailuresQuery(campaign, page))
  const total = data?.meta.total
  return (
    <section className="admin-panel">
      <h2>{t('failures.title')}</h2>
      <p>{t('failures.text')}</p>
      <DataTable
        caption={t('failures.title')}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={
          <EmptyState level={3} title={t('failures.none')}>
            {t('failures.none-text')}
          </EmptyState>
        }
        error={<Notice kind="error" title={admin('load-failed')} />}
        columns={[
          {
            id: 'name',
            head: t('reach.who'),
            names: true,
            cell: ({ personId, name }) =>
              personId && seesPeople ? (
                <Link to="/admin/people/$id" params={{ id: personId }}>
                  {name}
                </Link>
              ) : (
                (name ?? t('failures.deleted'))
              ),
          },
          { id: 'address', head: t('failures.address'), cell: ({ address }) => <span className="breaks-anywhere">{address}</span> },
          {
            id: 'reason',
            head: t('failures.reason'),
            cell: ({ outcome, fault }) => (
              <>
                <div>{t(`failures.outcome.${outcome}`)}</div>
                {fault && <div className="meta">{errors(`codes.${fault}`, { defaultValue: '' })}</div>}
              </>
            ),
          },
          { id: 'at', head: t('messages.at'), secondary: true, cell: ({ at }) => format.dateTime(at) },
        ]}
        foot={<PageButtons page={page} size={RECIPIENTS_PER_PAGE} total={typeof total === 'number' ? total : 0} onPage={setPage} />}
      />
    </section>
  )
}
