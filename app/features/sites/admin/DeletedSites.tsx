import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TableFoot } from '#app/shell/table-foot.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { DELETED_PER_PAGE, deletedSitesQuery } from '../sites.queries.ts'
import { SitesTabs } from './SitesTabs.tsx'

/** Deleted sites: who had them deleted and why, and exports that are still available. */
export function DeletedSites({ page }: { page: number }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { data, isError, isPending, isPlaceholderData, refetch } = useQuery(deletedSitesQuery(page))
  const rowsOf = (erased: Record<string, number>) =>
    Object.entries(erased).reduce((sum, [what, count]) => (what === 'files' ? sum : sum + count), 0)
  return (
    <>
      <PageHeader title={t('sites.deleted')} meta={t('sites.deleted-text')} tabs={<SitesTabs />} />
      <DataTable
        caption={t('sites.deleted')}
        rows={data?.data ?? []}
        rowKey={({ id }) => id}
        state={isError ? 'error' : isPending || isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('sites.none-deleted')} />}
        error={
          <Notice kind="error" title={admin('load-failed')}>
            <Button kind="secondary" size="small" onClick={() => void refetch()}>
              {common('try-again')}
            </Button>
          </Notice>
        }
        columns={[
          {
            id: 'name',
            head: t('sites.name'),
            names: true,
            cell: ({ name, host, erasedAt }) => (
              <>
                {name}
                {host && <small className="breaks-anywhere">{host}</small>}
                {erasedAt && <small className="for-narrow">{format.shortDate(erasedAt)}</small>}
              </>
            ),
          },
          { id: 'at', head: t('sites.deleted-at'), secondary: true, cell: ({ erasedAt }) => erasedAt && format.shortDate(erasedAt) },
          { id: 'by', head: t('sites.asked-by'), secondary: true, cell: ({ askedBy }) => askedBy },
          { id: 'reason', head: t('sites.delete-reason'), secondary: true, cell: ({ reason }) => reason },
          { id: 'rows', head: t('sites.rows'), align: 'end', secondary: true, cell: ({ erased }) => format.number(rowsOf(erased)) },
          { id: 'files', head: t('sites.files'), align: 'end', secondary: true, cell: ({ erased }) => format.number(erased['files'] ?? 0) },
          {
            id: 'export',
            head: t('sites.export-kept'),
            cell: ({ name, exportAddress }) =>
              exportAddress ? (
                <a href={exportAddress} download>
                  {t('sites.export-download')}
                  <span className="visually-hidden"> {name}</span>
                </a>
              ) : (
                t('sites.export-expired')
              ),
          },
        ]}
        foot={
          <TableFoot
            total={data?.meta.total ?? 0}
            page={page}
            size={DELETED_PER_PAGE}
            link={(number, children, attributes) => (
              <Link to="/admin/sites/deleted" search={number === 1 ? {} : { page: number }} {...attributes}>
                {children}
              </Link>
            )}
          />
        }
      />
    </>
  )
}
