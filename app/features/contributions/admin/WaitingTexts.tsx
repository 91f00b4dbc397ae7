import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'
import { heldContributionsQuery, heldRepliesQuery, objectionsQuery, reportedCasesQuery } from '../contributions.queries.ts'
import { AppealsToDecide } from './AppealsToDecide.tsx'
import { SentPhotos } from './SentPhotos.tsx'
import { DecisionButtons } from './DecisionButtons.tsx'
import { ModerationLinks } from './ModerationLinks.tsx'
import { QuestionsToAnswer } from './QuestionsToAnswer.tsx'
import { ReportedTexts } from './ReportedTexts.tsx'

/** What waits for an answer or a decision, with the decisions. */
export function WaitingTexts() {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const held = useSuspenseQuery(heldContributionsQuery).data
  const replies = useSuspenseQuery(heldRepliesQuery).data
  const reported = useSuspenseQuery(reportedCasesQuery).data.data
  // What reports hold is listed with its reports.
  const isReported = (id: string) => reported.some(({ relationships: { contribution, reply } }) => (reply?.id ?? contribution?.id) === id)
  const heldContributions = held.data.filter(({ id }) => !isReported(id))
  const heldReplies = replies.data.filter(({ id }) => !isReported(id))
  const objections = useSuspenseQuery(objectionsQuery).data
  return (
    <>
      <PageHeader title={t('waiting.title')} meta={t('waiting.about')} actions={<ModerationLinks />} />
      <QuestionsToAnswer />
      <AppealsToDecide />
      <ReportedTexts />
      <section className="admin-stack" aria-labelledby="held-heading">
        <h2 id="held-heading" className="queue-all">
          {t('queue.held')}
        </h2>
        {heldContributions.length === 0 && heldReplies.length === 0 && (
          <EmptyState title={t('queue.none')}>{t('queue.none-text')}</EmptyState>
        )}
        {heldContributions.length > 0 && (
          <ul className="admin-list">
            {heldContributions.map((contribution) => (
              <li key={contribution.id} className="admin-panel moderated" tabIndex={-1}>
                <div className="moderated-text">
                  <h3 lang={contribution.language} dir={getDirection(contribution.language)}>
                    <Link to="/admin/contributions/$id" params={{ id: contribution.id }}>
                      {contribution.title}
                    </Link>
                  </h3>
                  <p>
                    {t('queue.in', {
                      activity: findLinked(held, contribution.relationships.activity)?.title ?? '',
                      number: contribution.number,
                    })}
                    {' · '}
                    {format.dateTime(contribution.submittedAt)} {contribution.doubted && <Badge tone="warn">{t('queue.doubted')}</Badge>}
                  </p>
                  <PlainText text={contribution.body} lang={contribution.language} />
                  <SentPhotos photos={contribution.photos} lang={contribution.language} />
                </div>
                <DecisionButtons
                  type="contributions"
                  state={contribution.state}
                  name={contribution.title}
                  wasPublic={contribution.publishedAt !== null}
                  text={contribution}
                />
              </li>
            ))}
          </ul>
        )}
        {heldReplies.length > 0 && (
          <>
            <h3>{t('queue.held-replies')}</h3>
            <ul className="admin-list">
              {heldReplies.map((reply) => (
                <li key={reply.id} className="admin-panel moderated" tabIndex={-1}>
                  <div className="moderated-text">
                    <p>
                      {findLinked(replies, reply.relationships.contribution)?.title}
                      {' · '}
                      {format.dateTime(reply.createdAt)}
                    </p>
                    <PlainText text={reply.body} lang={reply.language} />
                  </div>
                  <DecisionButtons type="replies" state={reply.state} name={reply.body.slice(0, 60)} text={reply} />
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
      {objections.data.length > 0 && (
        <section className="admin-stack" aria-labelledby="objections">
          <h2 id="objections">{t('merging.objections')}</h2>
          <ul className="admin-list">
            {objections.data.map((link) => {
              const contribution = findLinked(objections, link.relationships.contribution)
              return (
                <li key={link.id} className="admin-panel moderated" tabIndex={-1}>
                  <div className="moderated-text">
                    <h3 lang={contribution?.language} dir={getDirection(contribution?.language)}>
                      <Link to="/admin/contributions/$id" params={{ id: contribution?.id ?? '' }}>
                        {contribution?.title}
                      </Link>
                    </h3>
                    <PlainText text={link.objection ?? ''} />
                  </div>
                </li>
              )
            })}
          </ul>
        </section>
      )}
    </>
  )
}
