import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { AnswerList } from '../../AnswerList.tsx'
import { responseQuery, surveyQuery, surveyVersionsQuery } from '../../surveys.queries.ts'
import { clockOf } from './clock-of.ts'

/** Everything one person said, on the version they were asked. */
export function ResponsePage({ survey: surveyId, response: id }: { survey: string; response: string }) {
  const { t } = useTranslation('survey-admin')
  const format = useFormat()
  const survey = useSuspenseQuery(surveyQuery(surveyId)).data.data
  const versions = useSuspenseQuery(surveyVersionsQuery(surveyId)).data
  const response = useSuspenseQuery(responseQuery(id)).data
  const definition = versions.find(({ number }) => number === response.version)?.definition
  const { participant, seconds } = response
  return (
    <>
      <PageHeader
        title={t('response.title', { when: format.dateTime(response.submittedAt) })}
        meta={
          <>
            <Link to="/admin/surveys/$survey/responses" params={{ survey: surveyId }}>
              {t('response.back')}
            </Link>
            {` · ${survey.title}`}
          </>
        }
      />
      <div className="response-columns">
        <section className="panel">
          {definition ? (
            <AnswerList definition={definition} answers={response.answers} withFiles written={response.language} />
          ) : (
            <EmptyState title={t('response.no-version')} />
          )}
        </section>
        <aside className="panel" aria-label={t('response.about')}>
          <DefinitionList
            items={[
              ...(participant ? [{ term: t('responses.who'), value: `${participant.login} (${participant.email})` }] : []),
              { term: t('responses.language'), value: LANGUAGE_NAMES[response.language] },
              { term: t('responses.version'), value: format.number(response.version) },
              { term: t('response.source'), value: t(`source.${response.source}`, { defaultValue: response.source }) },
              ...(seconds === null
                ? []
                : [
                    {
                      term: t('responses.took'),
                      value: clockOf(seconds),
                    },
                  ]),
              ...(response.doubt ? [{ term: t('response.look'), value: t(`response.doubt.${response.doubt}`) }] : []),
              { term: t('response.id'), value: <code>{response.id}</code> },
            ]}
          />
        </aside>
      </div>
    </>
  )
}
