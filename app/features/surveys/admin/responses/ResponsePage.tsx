import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { AnswerList } from '../../answering/AnswerList.tsx'
import { responseQuery, surveyQuery, surveyVersionsQuery } from '../../surveys.queries.ts'
import { resolveRelativeDays } from '../../questionnaire/relative-days.ts'
import { formatDuration } from './format-duration.ts'

/** One person's response, on the version they answered. */
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
        actions={response.meta.can.erase && <EraseResponse survey={surveyId} response={id} />}
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
            <AnswerList
              definition={resolveRelativeDays(definition, response.submittedAt.slice(0, 10))}
              answers={response.answers}
              withFiles
              written={response.language}
            />
          ) : (
            <EmptyState title={t('response.no-version')} />
          )}
        </section>
        <aside className="panel" aria-label={t('response.about')}>
          <DefinitionList
            items={[
              ...(participant ? [{ term: t('responses.who'), value: `${participant.login} (${participant.email})` }] : []),
              { term: t('responses.language'), value: getLanguageName(response.language) },
              { term: t('responses.version'), value: format.number(response.version) },
              { term: t('response.source'), value: t(`source.${response.source}`, { defaultValue: response.source }) },
              ...(seconds === null
                ? []
                : [
                    {
                      term: t('responses.took'),
                      value: formatDuration(seconds),
                    },
                  ]),
              ...(response.doubt
                ? [
                    {
                      term: t('response.look'),
                      value: t(`response.doubt.${response.doubt === 'rate' && response.counted ? 'rate-counted' : response.doubt}`),
                    },
                  ]
                : []),
              { term: t('response.id'), value: <code>{response.id}</code> },
            ]}
          />
        </aside>
      </div>
    </>
  )
}

function EraseResponse({ survey, response }: { survey: string; response: string }) {
  const { t } = useTranslation('survey-admin')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const erase = useMutation({
    mutationFn: () =>
      api.create('response-erasures', { attributes: { reason }, relationships: { response: { type: 'responses', id: response } } }),
    onSuccess: async () => {
      showToast({ text: t('response.erased') })
      await navigate({ to: '/admin/surveys/$survey/responses', params: { survey } })
      queryClient.removeQueries(responseQuery(response))
      await queryClient.invalidateQueries({ queryKey: ['surveys'] })
    },
  })
  const { faults } = useEditorTexts(erase.error)
  return (
    <>
      <Button kind="secondary" onClick={() => setAsking(true)}>
        {t('response.erase')}
      </Button>
      <ConfirmDialog
        title={t('response.erase-title')}
        isOpen={asking}
        danger
        onClose={() => {
          setAsking(false)
          erase.reset()
        }}
        onConfirm={() => erase.mutateAsync().then(undefined, () => undefined)}
        confirmLabel={t('response.erase')}
        cancelLabel={admin('confirm.cancel')}
        confirmDisabled={!reason.trim()}
      >
        <p>{t('response.erase-text')}</p>
        <TextAreaInput name="erase-reason" label={t('response.erase-reason')} value={reason} onChange={setReason} required />
        {faults[0] && <Notice kind="error" title={faults[0].message} />}
      </ConfirmDialog>
    </>
  )
}
