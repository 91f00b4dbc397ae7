import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import type { FailedCampaign } from '../cockpit.schema.ts'

/** Newsletters and text campaigns that did not reach everybody. Their own pages list each message. */
export function FailedPanel({ failed }: { failed: readonly FailedCampaign[] }) {
  const { t } = useTranslation('cockpit')
  const format = useFormat()
  return (
    <section className="admin-panel" data-failed={failed.length > 0 || undefined} aria-labelledby="cockpit-failed">
      <h2 id="cockpit-failed">{t('failed.title')}</h2>
      {failed.length === 0 ? (
        <p className="meta">{t('failed.none')}</p>
      ) : (
        <ul className="cockpit-list">
          {failed.map(({ id, channel, name, sentAt, failed: unsent, returned }) => (
            <li key={id}>
              <Link to={channel === 'email' ? '/admin/newsletters/$id' : '/admin/campaigns/$id'} params={{ id }}>
                {name}
              </Link>
              {unsent > 0 && <p className="cockpit-late">{t('failed.unsent', { count: unsent, number: format.number(unsent) })}</p>}
              {returned > 0 && <p className="cockpit-late">{t('failed.returned', { count: returned, number: format.number(returned) })}</p>}
              <p className="meta">{t('failed.sent', { when: format.dateTime(sentAt) })}</p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
