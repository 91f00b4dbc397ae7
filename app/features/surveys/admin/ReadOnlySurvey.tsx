import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { ReadOnly } from '#app/shell/read-only.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import type { SurveyDocument } from './editor/survey-draft.ts'
import { SurveyStatus } from './SurveyStatus.tsx'

/** A survey of a project that someone else administers, limited to what is public. */
export function ReadOnlySurvey({ document }: { document: SurveyDocument }) {
  const { t } = useTranslation('survey-admin')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const survey = document.data
  const project = findLinked(document, survey.relationships.project)
  const facts = [
    { term: t('list.project'), value: project?.title },
    { term: admin('fields.opensAt'), value: survey.opensAt && format.dateTime(survey.opensAt) },
    { term: admin('fields.closesAt'), value: survey.closesAt && format.dateTime(survey.closesAt) },
  ].flatMap(({ term, value }) => (value ? [{ term, value }] : []))
  return (
    <ReadOnly
      title={survey.title}
      status={<SurveyStatus survey={survey} hasChanges={false} />}
      text={t('read-only.text')}
      facts={facts}
      actions={
        project && (
          <>
            <Link to="/admin/projects/$id" params={{ id: project.id }} className={getButtonClass({ kind: 'secondary' })}>
              {t('read-only.project')}
            </Link>
            <Link
              to="/projects/$slug/surveys/$survey"
              params={{ slug: project.slug, survey: survey.slug }}
              target="_blank"
              className={getButtonClass({ kind: 'secondary' })}
            >
              {admin('editor.see')}
            </Link>
          </>
        )
      }
    />
  )
}
