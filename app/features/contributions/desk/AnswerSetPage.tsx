import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { ProgressBar } from '#app/ui/progress-bar.tsx'
import type { SENDING_ACTS } from './desk-search.ts'
import { sendingQuery } from './sending.queries.ts'
import type { SendingProgress } from './send-answer-sets.server.ts'

/** How far an answer to many is, and who did not get it. Without JavaScript, a link looks again. */
export function AnswerSetPage({ id }: { id: string }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const { data: set } = useQuery(sendingQuery(id))
  if (!set) return null
  const isBeingSent = set.state === 'waiting' || set.state === 'running'
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('answer-sets.title', { count: set.count, number: format.number(set.count) })} />
      <div aria-live="polite">
        <Progress set={set} />
      </div>
      {isBeingSent && (
        <>
          <p>{t('answer-sets.leave')}</p>
          <noscript>
            <p>
              <a href={`/answer-sets/${id}`}>{t('answer-sets.page')}</a>
            </p>
          </noscript>
        </>
      )}
      <Refusals set={set} />
      <div className="row">
        {set.state === 'failed' && <Act act="send-rest" />}
        <Act act={isBeingSent ? 'stop' : 'dismiss'} />
        <a href="/admin/contributions">{t('answer-sets.back')}</a>
      </div>
    </div>
  )
}

function Act({ act }: { act: (typeof SENDING_ACTS)[number] }) {
  const { t } = useTranslation('contributions-admin')
  return (
    <form method="post">
      <input type="hidden" name="act" value={act} />
      <Button type="submit" kind={act === 'send-rest' ? 'primary' : 'secondary'}>
        {t(`answer-sets.${act}`)}
      </Button>
    </form>
  )
}

function Progress({ set: { state, count, sent, refused } }: { set: SendingProgress }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const numbers = { sent: format.number(sent), all: format.number(count) }
  switch (state) {
    case 'waiting':
      return <ProgressBar label={t('answer-sets.waits-its-turn')} value={sent + refused} max={count} />
    case 'running':
      return <ProgressBar label={t('answer-sets.sent-of', numbers)} value={sent + refused} max={count} />
    case 'done':
      return <Notice kind={refused > 0 ? 'warning' : 'success'} title={t('answer-sets.ended-done', numbers)} />
    case 'cancelled':
      return <Notice kind="warning" title={t('answer-sets.ended-cancelled', numbers)} />
    default:
      return (
        <Notice kind="error" title={t('answer-sets.ended-failed', numbers)}>
          <p>{t('answer-sets.failed-about')}</p>
        </Notice>
      )
  }
}

function Refusals({ set: { refused, refusals } }: { set: SendingProgress }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  if (refused === 0) return null
  return (
    <section aria-labelledby="refused">
      <h2 id="refused">{t('answer-sets.refused', { count: refused, number: format.number(refused) })}</h2>
      <ul>
        {refusals.map(({ id, reason, number, title, language, activity }) => (
          <li key={id}>
            {number === null ? (
              t('answer-sets.gone')
            ) : (
              <>
                <a href={`/admin/contributions/${id}`} lang={language ?? undefined}>
                  {title || t('desk.untitled')}
                </a>{' '}
                <span className="meta">{t('queue.in', { activity: activity ?? '', number })}</span>
              </>
            )}
            <br />
            {t(`answer-sets.reasons.${reason}`)}
          </li>
        ))}
      </ul>
      {refused > refusals.length && <p>{t('answer-sets.first', { number: format.number(refusals.length) })}</p>}
    </section>
  )
}
