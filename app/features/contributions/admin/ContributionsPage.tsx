import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { type ListSearch, useList } from '#app/shell/admin/use-list.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { PlainText } from '../parts/contribution-parts.tsx'
import {
  contributionListQuery,
  heldContributionsQuery,
  heldRepliesQuery,
  objectionsQuery,
  reportedCasesQuery,
} from '../contributions.queries.ts'
import { AppealsToDecide } from './AppealsToDecide.tsx'
import { SentPhotos } from './SentPhotos.tsx'
import { DecisionButtons } from './DecisionButtons.tsx'
import { ModerationRules } from './ModerationRules.tsx'
import { WordLists } from './WordLists.tsx'
import { QuestionsToAnswer } from './QuestionsToAnswer.tsx'
import { ReportedTexts } from './ReportedTexts.tsx'

const PER_PAGE = 25

/** What waits for a decision, with the decisions; and everything that was sent. */
export function ContributionsPage({ page }: { page: number }) {
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
  const all = useQuery(contributionListQuery(page))
  const list = useList<ListSearch>({ page }, (search) => linkOptions({ to: '/admin/contributions', search }))
  return (
    <>
      <PageHeader
        title={t('queue.title')}
        meta={t('queue.about')}
        actions={<Link to="/admin/contributions/unusual">{t('unusual.title')}</Link>}
      />
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
                  <h3 lang={contribution.language}>
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
                    <h3 lang={contribution?.language}>
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
      <h2 className="queue-all">{t('queue.all')}</h2>
      <ListScreen
        list={list}
        caption={t('queue.all')}
        query={all}
        pageSize={PER_PAGE}
        none={<EmptyState title={t('queue.nothing')} />}
        columns={[
          {
            id: 'title',
            head: t('queue.contribution'),
            names: true,
            cell: (row) => (
              <Link to="/admin/contributions/$id" params={{ id: row.id }} lang={row.language}>
                {row.title || `${row.number}`}
              </Link>
            ),
          },
          {
            id: 'activity',
            head: t('activities.title'),
            secondary: true,
            cell: (row) => (all.data && findLinked(all.data, row.relationships.activity)?.title) ?? '',
          },
          {
            id: 'state',
            head: t('queue.state'),
            underName: true,
            cell: (row) =>
              row.question && row.answered ? (
                <Badge>{t(`question.states.${row.question}`)}</Badge>
              ) : (
                <Badge hollow={row.state === 'held'}>{t(`states.${row.state}`)}</Badge>
              ),
          },
          { id: 'supports', head: t('queue.supports'), align: 'end', cell: (row) => format.number(row.supports) },
          { id: 'sent', head: t('queue.sent'), secondary: true, cell: (row) => format.dateTime(row.submittedAt) },
        ]}
      />
      <ModerationRules />
      <WordLists />
    </>
  )
}
