import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import type { Deletion } from './SiteDeletion.tsx'

/** What there was, and who had it deleted. Nothing where every site is still there. */
export function DeletedSites({ deletions }: { deletions: readonly Deletion[] }) {
  const { t } = useTranslation('platform')
  const { t: common } = useTranslation()
  const format = useFormat()
  if (deletions.length === 0) return null
  const rowsOf = ({ erased }: Deletion) => Object.entries(erased).reduce((sum, [what, count]) => (what === 'files' ? sum : sum + count), 0)
  return (
    <section>
      <h2>{t('sites.deleted')}</h2>
      <DataTable
        caption={t('sites.deleted')}
        rows={deletions}
        rowKey={({ id }) => id}
        loadingLabel={common('loading')}
        empty={null}
        columns={[
          { id: 'name', head: t('sites.name'), names: true, cell: ({ name }) => name },
          { id: 'at', head: t('sites.deleted-at'), cell: ({ erasedAt }) => erasedAt && format.shortDate(erasedAt) },
          { id: 'by', head: t('sites.asked-by'), secondary: true, cell: ({ askedBy }) => askedBy },
          { id: 'reason', head: t('sites.delete-reason'), secondary: true, cell: ({ reason }) => reason },
          { id: 'rows', head: t('sites.rows'), align: 'end', secondary: true, cell: (deletion) => format.number(rowsOf(deletion)) },
          { id: 'files', head: t('sites.files'), align: 'end', secondary: true, cell: ({ erased }) => format.number(erased['files'] ?? 0) },
          {
            id: 'export',
            head: t('sites.export'),
            cell: ({ name, exportAddress }) =>
              exportAddress ? (
                <a href={exportAddress} download>
                  {t('sites.export-take')}
                  <span className="visually-hidden"> {name}</span>
                </a>
              ) : (
                t('sites.export-expired')
              ),
          },
        ]}
      />
    </section>
  )
}
