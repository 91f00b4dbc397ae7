import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import type { Translated } from '#app/lib/translated.ts'
import { ANSWER_VISIBILITIES, type AnswerVisibility } from '#app/lib/vocabulary/contributions.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'
import { contributionQuery, forgetContributions, officialResponsesQuery, statusesQuery } from '../contributions.queries.ts'
import type { DeskSearch } from '../desk/desk-search.ts'
import { ContributionHistory } from './ContributionHistory.tsx'
import { DecisionButtons } from './DecisionButtons.tsx'
import { DeskSteps } from './DeskSteps.tsx'
import { MaskedOriginal } from './MaskedOriginal.tsx'
import { OpenCases } from './OpenCases.tsx'
import { PublicFacts } from './PublicFacts.tsx'
import { SentAnswers } from './SentAnswers.tsx'
import { SentPhotos } from './SentPhotos.tsx'
import { QuestionPanel } from './QuestionPanel.tsx'
import { MergeContribution } from './MergeContribution.tsx'

/** One contribution: decide about it, and answer it in the team's name. */
export function ContributionEditor({ id, search }: { id: string; search: DeskSearch }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const document = useSuspenseQuery(contributionQuery(id)).data
  const { data: contribution } = document
  const activity = contribution.relationships.activity?.id ?? ''
  const { can } = contribution.meta
  const isQuestion = contribution.question !== null
  const questions = findLinked(document, contribution.relationships.activity)?.fields ?? []
  const isWaiting = contribution.state === 'held' && contribution.answered === null
  return (
    <>
      <PageHeader
        title={<span lang={contribution.language}>{contribution.title || `${contribution.number}`}</span>}
        status={isWaiting || !contribution.answered ? <Badge hollow={isWaiting}>{t(`states.${contribution.state}`)}</Badge> : undefined}
        meta={
          <>
            <Link to="/admin/contributions" search={search}>
              {t('queue.title')}
            </Link>
            {' · '}
            {t('queue.in', {
              activity: findLinked(document, contribution.relationships.activity)?.title ?? '',
              number: contribution.number,
            })}
            {' · '}
            {format.dateTime(contribution.submittedAt)}
            {contribution.source !== 'web' && ` · ${t(`sources.${contribution.source}`)}`}
          </>
        }
        actions={can.moderate && <DeskSteps id={id} search={search} />}
      />
      <div className="admin-stack">
        {(contribution.body || contribution.photos.length > 0) && (
          <section className="admin-panel">
            <PlainText text={contribution.body} lang={contribution.language} />
            <SentPhotos photos={contribution.photos} lang={contribution.language} />
          </section>
        )}
        {can.moderate && <PublicFacts id={id} search={search} contribution={contribution} />}
        <SentAnswers questions={questions} answers={contribution.fields} language={contribution.language} />
        {contribution.reason && (
          <Notice title={t('queue.reason')}>
            <PlainText text={contribution.reason} />
          </Notice>
        )}
        {can.moderate && <OpenCases contribution={id} />}
        {can.moderate && (
          <DecisionButtons
            type="contributions"
            state={contribution.state}
            name={contribution.title}
            wasPublic={contribution.publishedAt !== null}
            text={contribution}
          />
        )}
        {contribution.masked && <MaskedOriginal id={id} language={contribution.language} questions={questions} />}
        {isQuestion && can.answer && <QuestionPanel question={contribution} />}
        {can.answer && (contribution.state === 'published' || (isQuestion && contribution.state === 'held')) && (
          <OfficialAnswers
            contribution={id}
            activity={activity}
            visibilities={!isQuestion ? [] : contribution.state === 'held' ? ['private'] : ANSWER_VISIBILITIES}
          />
        )}
        {can.moderate && <MergeContribution key={id} id={id} activity={activity} state={contribution.state} />}
        {can.moderate && <ContributionHistory id={id} search={search} />}
      </div>
    </>
  )
}

interface OfficialAnswersProps {
  contribution: string
  activity: string
  /** Of a question: whom it can be answered to. Empty for other kinds, which are answered to everybody. */
  visibilities: readonly AnswerVisibility[]
}

function OfficialAnswers({ contribution, activity, visibilities }: OfficialAnswersProps) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const site = useSite()
  const queryClient = useQueryClient()
  const statuses = useSuspenseQuery(statusesQuery(activity)).data.data.filter(({ archived }) => !archived)
  const answers = useSuspenseQuery(officialResponsesQuery(contribution)).data
  const [first] = visibilities
  // A question is answered: that is what most people come to do.
  const [status, setStatus] = useState((first && statuses.find(({ code }) => code === 'answered')?.id) ?? statuses[0]?.id ?? '')
  const [chosen, setVisibility] = useState<AnswerVisibility>()
  const visibility = chosen && visibilities.includes(chosen) ? chosen : (first ?? 'public')
  const [fields, setFields] = useState<{ textTranslations: Translated; teamTranslations: Translated }>({
    textTranslations: {},
    teamTranslations: {},
  })
  const send = useMutation({
    mutationFn: () =>
      api.create('official-responses', {
        attributes: { ...fields, ...(first && { visibility }) },
        relationships: {
          contribution: { type: 'contributions', id: contribution },
          status: { type: 'contribution-statuses', id: status },
        },
      }),
    onSuccess: async () => {
      setFields({ textTranslations: {}, teamTranslations: {} })
      showToast({ text: t(visibility === 'private' ? 'question.sent-private' : 'answer.sent') })
      await forgetContributions(queryClient)
    },
  })
  const words = useEditorTexts(send.error)
  return (
    <section className="admin-stack" aria-labelledby="answer">
      <h2 id="answer">{t('answer.title')}</h2>
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      <div className="admin-form">
        {first && (
          <SelectInput
            name="visibility"
            label={t('question.visibility')}
            hint={visibilities.includes('public') ? t(`question.visibility-hint-${visibility}`) : t('question.held-hint')}
            value={visibility}
            onChange={setVisibility}
            options={visibilities.map((value) => ({ value, label: t(`question.visibilities.${value}`) }))}
          />
        )}
        <SelectInput
          name="status"
          label={t('answer.status')}
          value={status}
          onChange={setStatus}
          options={statuses.map(({ id, title }) => ({ value: id, label: title }))}
        />
        <TranslatedTexts
          languages={site.languages}
          source={site.locale}
          fields={[
            { name: 'textTranslations', label: t('answer.text'), ...(visibility === 'public' && { hint: t('answer.text-hint') }), rows: 5 },
            { name: 'teamTranslations', label: t('answer.team') },
          ]}
          values={fields}
          onChange={(name, text) => setFields((before) => ({ ...before, [name]: text }))}
          messageOf={words.messageOf}
          words={words.texts}
        />
        <div className="row">
          <Button pending={send.isPending} onClick={() => send.mutate()}>
            {t(visibility === 'private' ? 'question.send-private' : 'answer.send')}
          </Button>
        </div>
      </div>
      {answers.data.length > 0 && (
        <>
          <h3>{t('answer.earlier')}</h3>
          <ul className="admin-list">
            {answers.data.map((answer) => (
              <li key={answer.id} className="admin-panel">
                <div>
                  <strong>{findLinked(answers, answer.relationships.status)?.title}</strong> {format.dateTime(answer.createdAt)}{' '}
                  {answer.visibility === 'private' && <Badge tone="info">{t('question.private')}</Badge>}
                  <PlainText text={answer.text} />
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
