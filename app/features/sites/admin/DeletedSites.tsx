import { useQuery } from '@tanstack/react-query'
import { linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { type ListSearch, useList } from '#app/shell/admin/use-list.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { DELETED_PER_PAGE, deletedSitesQuery } from '../sites.queries.ts'
import { SitesTabs } from './SitesTabs.tsx'

/** Deleted sites: who had them deleted and why, and exports that are still available. */
export function DeletedSites({ page }: { page: number }) {
  const { t } = useTranslation('platform')
  const format = useFormat()
  const list = useList<ListSearch>({ page }, (search) => linkOptions({ to: '/admin/sites/deleted', search }))
  const rowsOf = (erased: Record<string, number>) =>
    Object.entries(erased).reduce((sum, [what, count]) => (what === 'files' ? sum : sum + count), 0)
  return (
    <>
      <PageHeader title={t('sites.deleted')} meta={t('sites.deleted-text')} tabs={<SitesTabs />} />
      <ListScreen
        list={list}
        caption={t('sites.deleted')}
        query={useQuery(deletedSitesQuery(page))}
        pageSize={DELETED_PER_PAGE}
        none={<EmptyState title={t('sites.none-deleted')} />}
        columns={[
          {
            id: 'name',
            head: t('sites.name'),
            names: true,
            cell: ({ name, host }) => (
              <>
                {name}
                {host && <small className="breaks-anywhere">{host}</small>}
              </>
            ),
          },
          { id: 'at', head: t('sites.deleted-at'), underName: true, cell: ({ erasedAt }) => erasedAt && format.shortDate(erasedAt) },
          { id: 'by', head: t('sites.asked-by'), secondary: true, cell: ({ askedBy }) => askedBy },
          { id: 'reason', head: t('sites.delete-reason'), secondary: true, cell: ({ reason }) => reason },
          { id: 'rows', head: t('sites.rows'), align: 'end', secondary: true, cell: ({ erased }) => format.number(rowsOf(erased)) },
          { id: 'files', head: t('sites.files'), align: 'end', secondary: true, cell: ({ erased }) => format.number(erased['files'] ?? 0) },
          {
            id: 'export',
            head: t('sites.export-kept'),
            cell: ({ name, exportAddress }) =>
              exportAddress ? (
                <a href={exportAddress}>
                  {t('sites.export-download')}
                  <span className="visually-hidden"> {name}</span>
                </a>
              ) : (
                t('sites.export-expired')
              ),
          },
        ]}
      />
    </>
  )
}
