import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { surveyTableQuery } from '../../surveys.queries.ts'
import { SurveyStatus } from '../SurveyStatus.tsx'

/** The surveys tab of a project. */
export function ProjectSurveys({ project }: { project: string }) {
  const { t } = useTranslation('survey-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { data, isPending } = useQuery(surveyTableQuery({ project }))
  if (isPending) return <Skeleton label={common('loading')} lines={4} />
  return (
    <div className="admin-stack">
      {data?.data.length ? (
        <ul className="admin-list">
          {data.data.map((survey) => (
            <li key={survey.id} className="admin-panel">
              <Link to="/admin/surveys/$survey" params={{ survey: survey.id }}>
                {survey.title || t('list.untitled')}
              </Link>
              <span className="row">
                {t('header.answers', { count: survey.responses, number: format.number(survey.responses) })}
                <SurveyStatus survey={survey} hasChanges={survey.hasChanges === true} />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState title={t('list.none')}>{t('list.none-text')}</EmptyState>
      )}
      <div className="row">
        <Link to="/admin/surveys/new" search={{ project }} className={getButtonClass({ kind: 'secondary' })}>
          {t('list.new')}
        </Link>
        {(data?.meta.total ?? 0) > (data?.data.length ?? 0) && (
          <Link to="/admin/surveys" search={{ project }}>
            {t('list.all')}
          </Link>
        )}
      </div>
    </div>
  )
}
