import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { openSupportGrantsQuery } from '../sites.queries.ts'

/** The sites that let the platform's administrators in now; nothing where there are none. */
export function OpenSupportGrants() {
  const { t } = useTranslation('platform')
  const { t: common } = useTranslation()
  const format = useFormat()
  const grants = useSuspenseQuery(openSupportGrantsQuery).data.data
  if (grants.length === 0) return null
  return (
    <section className="admin-panel">
      <h2>{t('support-open.title')}</h2>
      <p>{t('support-open.text')}</p>
      <DataTable
        caption={t('support-open.title')}
        rows={grants}
        rowKey={({ id }) => id}
        loadingLabel={common('loading')}
        empty={null}
        columns={[
          {
            id: 'site',
            head: t('support-open.site'),
            names: true,
            cell: ({ siteName, address }) => <a href={address}>{siteName}</a>,
          },
          { id: 'reason', head: t('support.reason'), cell: ({ reason }) => reason },
          { id: 'by', head: t('support-open.by'), secondary: true, cell: ({ grantedBy }) => grantedBy },
          { id: 'until', head: t('support.until'), cell: ({ expiresAt }) => format.dateTime(expiresAt) },
        ]}
      />
    </section>
  )
}
