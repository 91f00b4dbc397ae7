import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { ANSWER_VISIBILITIES } from '#app/lib/vocabulary/contributions.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'
import { contributionQuery } from '../contributions.queries.ts'
import type { DeskSearch } from '../desk/desk-search.ts'
import { ContributionNotes } from './ContributionNotes.tsx'
import { ContributionHistory } from './ContributionHistory.tsx'
import { DecisionButtons } from './DecisionButtons.tsx'
import { DeskSteps } from './DeskSteps.tsx'
import { MaskedOriginal } from './MaskedOriginal.tsx'
import { OpenCases } from './OpenCases.tsx'
import { PublicFacts } from './PublicFacts.tsx'
import { SentAnswers } from './SentAnswers.tsx'
import { SentPhotos } from './SentPhotos.tsx'
import { QuestionPanel } from './QuestionPanel.tsx'
import { OfficialAnswers } from './OfficialAnswers.tsx'
import { Translations } from './Translations.tsx'
import { MergeContribution } from './MergeContribution.tsx'

/** One contribution: decide about it, and answer it in the team's name. */
export function ContributionEditor({ id, search, comments }: { id: string; search: DeskSearch; comments: ReactNode }) {
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
        title={
          <span lang={contribution.language} dir={getDirection(contribution.language)}>
            {contribution.title || `${contribution.number}`}
          </span>
        }
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
        actions={
          can.moderate && (
            <>
              {comments}
              <DeskSteps id={id} search={search} />
            </>
          )
        }
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
        {can.answer && (
          <OfficialAnswers
            key={`answers-${id}`}
            contribution={id}
            activity={activity}
            project={findLinked(document, contribution.relationships.activity)?.relationships.project?.id ?? ''}
            status={contribution.relationships.status?.id ?? null}
            isAnswered={contribution.answered !== null}
            mayAdd={contribution.state === 'published' || (isQuestion && contribution.state === 'held')}
            visibilities={!isQuestion ? [] : contribution.state === 'held' ? ['private'] : ANSWER_VISIBILITIES}
          />
        )}
        {can.answer && <Translations key={`translations-${id}`} contribution={id} />}
        {can.moderate && <MergeContribution key={id} id={id} activity={activity} state={contribution.state} />}
        {can.moderate && <ContributionNotes key={`notes-${id}`} contribution={id} />}
        {can.moderate && <ContributionHistory id={id} search={search} />}
      </div>
    </>
  )
}
