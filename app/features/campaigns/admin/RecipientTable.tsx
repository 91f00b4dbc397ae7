import { type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PageButtons } from '#app/shell/admin/page-buttons.tsx'
import { type Column, DataTable } from '#app/ui/admin/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { RECIPIENTS_PER_PAGE } from '../campaigns.queries.ts'

interface RecipientPage {
  data: readonly { id: string; login: string }[]
  meta: { total?: unknown }
}

interface RecipientTableProps<Page extends RecipientPage, Key extends QueryKey> {
  toQuery: (page: number) => UseQueryOptions<Page, Error, Page, Key>
  /** What the campaign's channel shows of each person, beside the name. */
  columns: readonly Column<Page['data'][number]>[]
  nobodyText: string
}

/** Everybody a campaign would reach, in pages. */
export function RecipientTable<Page extends RecipientPage, Key extends QueryKey>(props: RecipientTableProps<Page, Key>) {
  const { t } = useTranslation('sms')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const [page, setPage] = useState(1)
  const { data, isError, isPending, isPlaceholderData } = useQuery(props.toQuery(page))
  const total = data?.meta.total
  return (
    <DataTable
      caption={t('reach.list')}
      rows={data?.data ?? []}
      rowKey={(row) => row.id}
      state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
      loadingLabel={common('loading')}
      empty={
        <EmptyState level={3} title={t('reach.nobody')}>
          {props.nobodyText}
        </EmptyState>
      }
      error={<Notice kind="error" title={admin('load-failed')} />}
      columns={[{ id: 'login', head: t('reach.who'), names: true, cell: (row) => row.login }, ...props.columns]}
      foot={<PageButtons page={page} size={RECIPIENTS_PER_PAGE} total={typeof total === 'number' ? total : 0} onPage={setPage} />}
    />
  )
}
