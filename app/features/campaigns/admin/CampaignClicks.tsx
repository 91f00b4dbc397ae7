import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { PageButtons } from '#app/shell/admin/page-buttons.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { LINKS_PER_PAGE, linkClicksQuery } from '../campaigns.queries.ts'

/** How often each link of a campaign was opened. */
export function CampaignClicks({ campaign }: { campaign: string }) {
  const { t } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const [page, setPage] = useState(1)
  const { data, isError, isPending, isPlaceholderData } = useQuery(linkClicksQuery(campaign, page))
  const total = data?.meta.total
  return (
    <section className="admin-panel">
      <h2>{t('clicks.title')}</h2>
      <p>{t('clicks.text')}</p>
      <DataTable
        caption={t('clicks.title')}
        rows={data?.data ?? []}
        rowKey={(row) => row.id}
        state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={
          <EmptyState level={3} title={t('clicks.none')}>
            {t('clicks.none-text')}
          </EmptyState>
        }
        error={<Notice kind="error" title={admin('load-failed')} />}
        columns={[
          { id: 'url', head: t('clicks.link'), names: true, cell: ({ url }) => <span className="breaks-anywhere">{url}</span> },
          { id: 'language', head: t('clicks.language'), secondary: true, cell: ({ language }) => getLanguageName(language) },
          { id: 'clicks', head: admin('figures.linkClicks.name'), cell: ({ clicks }) => format.number(clicks) },
        ]}
        foot={<PageButtons page={page} size={LINKS_PER_PAGE} total={typeof total === 'number' ? total : 0} onPage={setPage} />}
      />
    </section>
  )
}
