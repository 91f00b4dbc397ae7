import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Tag } from '#app/ui/tag.tsx'
import type { OwnNotification } from './notifications.schema.ts'

interface OwnNotificationsProps {
  rows: readonly OwnNotification[]
  unread: number
}

/** The account page's list of news about the person's own contributions and reports. Renders nothing if there is none. */
export function OwnNotifications({ rows, unread }: OwnNotificationsProps) {
  const { t } = useTranslation('account')
  const format = useFormat()
  if (rows.length === 0) return null
  return (
    <section className="stack mt-6" aria-labelledby="notifications">
      <h2 id="notifications" className="text-step-2">
        {t('notifications.title')}
      </h2>
      <ul className="stack">
        {rows.map(({ id, kind, title, path, at, read }) => (
          <li key={id}>
            {!read && (
              <>
                <Tag>{t('notifications.new')}</Tag>{' '}
              </>
            )}
            <a href={toLocalHref(path)}>{t(`notifications.${kind}`, { title })}</a>
            <p className="meta">
              <time dateTime={at}>{format.dateTime(at)}</time>
            </p>
          </li>
        ))}
      </ul>
      {unread > 0 && (
        <form method="post" action={toLocalHref('/account')}>
          <input type="hidden" name="form" value="notifications" />
          <Button type="submit" kind="secondary">
            {t('notifications.mark-read')}
          </Button>
        </form>
      )}
    </section>
  )
}
