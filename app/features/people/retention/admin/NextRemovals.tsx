import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { WideTable } from '#app/ui/admin/wide-table.tsx'
import { nextRemovalsQuery } from '../retention.queries.ts'
import { useMonthChoices } from './use-month-choices.ts'

/** The projects whose personal data will be removed, the next one first. */
export function NextRemovals({ showsSettings }: { showsSettings: boolean }) {
  const { t } = useTranslation('privacy')
  const format = useFormat()
  const { nameMonths } = useMonthChoices()
  const document = useSuspenseQuery(nextRemovalsQuery).data
  const rows = document.data
  return (
    <section className="admin-panel admin-stack" aria-labelledby="next-removals">
      <h2 id="next-removals">{t('kept.title')}</h2>
      <p>
        {t('kept.about')} {showsSettings && <Link to="/admin/settings">{t('kept.settings')}</Link>}
      </p>
      {rows.length === 0 ? (
        <p>{t('kept.next-none')}</p>
      ) : (
        <WideTable label={t('kept.next')}>
          <table className="admin-table">
            <thead>
              <tr>
                <th scope="col">{t('kept.project-column')}</th>
                <th scope="col">{t('kept.date-column')}</th>
                <th scope="col">{t('kept.kept-column')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, removalAt, keptMonths, siteMonths, relationships }) => (
                <tr key={id}>
                  <th scope="row">
                    <Link to="/admin/projects/$id" params={{ id }} hash="retention">
                      {findLinked(document, relationships.project)?.title ?? id}
                    </Link>
                  </th>
                  <td>{removalAt && format.date(removalAt)}</td>
                  <td>{nameMonths(keptMonths ?? siteMonths)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </WideTable>
      )}
    </section>
  )
}
