import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Badge } from '#app/ui/admin/badge.tsx'
import { reportReviewQuery, reportsQuery } from '../heard-reports.queries.ts'

interface ReportSectionProps {
  project: { id: string; slug: string }
  mayEdit: boolean
}

/** The published reports of a project, and the way to its editor. */
export function ReportSection({ project, mayEdit }: ReportSectionProps) {
  const { t } = useTranslation('heard-admin')
  const format = useFormat()
  const reports = useSuspenseQuery(reportsQuery(project.id)).data.data
  return (
    <section className="admin-stack" aria-labelledby="report-heading">
      <div className="row">
        <h2 id="report-heading">{t('report.title')}</h2>
        {mayEdit && <ReviewBadge project={project.id} />}
        {mayEdit && (
          <Link
            to="/admin/projects/$id/heard/report"
            params={{ id: project.id }}
            className={getButtonClass({ kind: 'secondary', size: 'small' })}
          >
            {t(reports.length > 0 ? 'report.edit' : 'report.write')}
          </Link>
        )}
      </div>
      {reports.length === 0 ? (
        <EmptyState title={t('report.none')} level={3}>
          {t('report.text')}
        </EmptyState>
      ) : (
        <ul className="heard-sources">
          {reports.map(({ id, version, status, asOf }) => (
            <li key={id}>
              <a href={status === 'published' ? `/projects/${project.slug}/report` : `/projects/${project.slug}/report/${version}`}>
                {t('report.see', { version: format.number(version), date: format.date(asOf) })}
              </a>
              {status === 'superseded' && <small>{t('report.former')}</small>}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function ReviewBadge({ project }: { project: string }) {
  const { t } = useTranslation('heard-admin')
  const status = useQuery(reportReviewQuery(project)).data?.data[0]?.status
  return status ? <Badge tone="warn">{t(`report.statuses.${status}`)}</Badge> : null
}
