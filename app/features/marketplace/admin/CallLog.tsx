import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageButtons } from '#app/shell/admin/page-buttons.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { CALLS_PER_PAGE, callsQuery } from '../marketplace.queries.ts'

/** Recent requests to the service and their outcomes. */
export function CallLog({ installation }: { installation: string }) {
  const { t } = useTranslation('marketplace')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { t: errors } = useTranslation('errors')
  const format = useFormat()
  const [page, setPage] = useState(1)
  const { data, isError, isPending } = useQuery(callsQuery(installation, page))
  const total = typeof data?.meta['total'] === 'number' ? data.meta['total'] : 0
  return (
    <DataTable
      caption={t('log.title')}
      rows={data?.data ?? []}
      rowKey={(call) => call.id}
      state={isError ? 'error' : isPending ? 'loading' : 'ready'}
      loadingLabel={common('loading')}
      empty={
        <EmptyState level={3} title={t('log.none')}>
          {t('log.none-text')}
        </EmptyState>
      }
      error={<Notice kind="error" title={admin('load-failed')} />}
      columns={[
        { id: 'at', head: t('log.at'), names: true, cell: (call) => format.dateTime(call.at) },
        { id: 'target', head: t('log.what'), cell: (call) => <code>{`${call.operation} ${call.target}`}</code> },
        {
          id: 'outcome',
          head: t('log.outcome'),
          cell: (call) =>
            call.outcome === 'ok' ? (
              <Badge tone="ok">{t('log.ok')}</Badge>
            ) : (
              <>
                {errors(`codes.${call.outcome}`)} {call.note && <code>{call.note}</code>}
              </>
            ),
        },
        {
          id: 'milliseconds',
          head: t('log.took'),
          align: 'end',
          secondary: true,
          cell: (call) => `${format.number(call.milliseconds)} ms`,
        },
      ]}
      foot={<PageButtons page={page} size={CALLS_PER_PAGE} total={total} onPage={setPage} />}
    />
  )
}
