import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { deskEntryQuery } from '../contributions.queries.ts'
import type { DeskSearch } from '../desk/desk-search.ts'

/** What was done with a contribution and its replies, and by whom. */
export function ContributionHistory({ id, search }: { id: string; search: DeskSearch }) {
  const { t } = useTranslation('contributions-admin')
  const { t: moderation } = useTranslation('moderation-admin')
  const format = useFormat()
  const { history } = useSuspenseQuery(deskEntryQuery(id, search)).data
  return (
    <section className="admin-panel" aria-labelledby="history">
      <h2 id="history">{t('desk.history')}</h2>
      <ol className="desk-history">
        {history.map((event, at) => (
          <li key={at}>
            <time dateTime={event.at}>{format.dateTime(event.at)}</time>
            <span>
              {event.kind === 'sent' && t('desk.events.sent')}
              {event.kind === 'answered' && t('desk.events.answered', { status: event.status })}
              {event.kind === 'decided' &&
                t(event.ofReply ? 'desk.events.reply-decided' : 'desk.events.decided', {
                  decision: moderation(`appeals.decisions.${event.decision}`),
                })}
              {event.kind === 'decided' && event.automatic ? ` · ${t('desk.events.by-rule')}` : event.by && ` · ${event.by}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
