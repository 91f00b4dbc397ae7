import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { TabLinks } from '#app/ui/admin/tabs.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import type { SurveyDocument } from './editor/survey-draft.ts'
import { SurveyStatus } from './SurveyStatus.tsx'

/** The header of every page about one survey: title, status, and links to its other pages. */
export function SurveyHeader({ document, title, actions }: { document: SurveyDocument; title?: string; actions?: ReactNode }) {
  const { t } = useTranslation('survey-admin')
  const format = useFormat()
  const survey = document.data
  const project = findLinked(document, survey.relationships.project)
  const params = { survey: survey.id }
  const exact = { exact: true, includeSearch: true }
  // What else the address says, such as its language, makes no other tab.
  const keepOthers = (part?: 'map' | 'settings') => (search: object) => ({ ...search, part })
  return (
    <PageHeader
      title={title || survey.title}
      status={<SurveyStatus survey={survey} hasChanges={survey.hasChanges === true} />}
      meta={
        <>
          {project && (
            <Link to="/admin/projects/$id" params={{ id: project.id }}>
              {project.title}
            </Link>
          )}
          {' · '}
          {t('header.answers', { count: survey.responses, number: format.number(survey.responses) })}
        </>
      }
      actions={actions}
      tabs={
        <TabLinks
          label={t('header.views')}
          links={[
            ...(survey.meta.can.update
              ? [
                  <Link key="edit" to="/admin/surveys/$survey" params={params} search={keepOthers()} activeOptions={exact}>
                    {t('header.questions')}
                  </Link>,
                  <Link key="map" to="/admin/surveys/$survey" params={params} search={keepOthers('map')} activeOptions={exact}>
                    {t('header.map')}
                  </Link>,
                  <Link key="settings" to="/admin/surveys/$survey" params={params} search={keepOthers('settings')} activeOptions={exact}>
                    {t('header.settings')}
                  </Link>,
                ]
              : []),
            ...(survey.importedFrom
              ? [
                  <Link key="import-report" to="/admin/surveys/$survey/import-report" params={params}>
                    {t('header.import-report')}
                  </Link>,
                ]
              : []),
            ...(survey.meta.can.seeResponses
              ? [
                  <Link key="results" to="/admin/surveys/$survey/results" params={params}>
                    {t('header.results')}
                  </Link>,
                  <Link key="responses" to="/admin/surveys/$survey/responses" params={params}>
                    {t('header.responses')}
                  </Link>,
                ]
              : []),
            ...(survey.meta.can.seeResponses && survey.meta.can.publish && survey.resultsPublic
              ? [
                  <Link key="open-answers" to="/admin/surveys/$survey/open-answers" params={params}>
                    {t('header.open-answers')}
                  </Link>,
                ]
              : []),
          ]}
        />
      }
    />
  )
}
