import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { Formatter } from '#app/lib/format.ts'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { type ListSearch, useList } from '#app/shell/admin/use-list.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import type { Column } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { mailServiceQuery, outboxMailQuery, outboxQuery } from '../outbox.queries.ts'
import { MAILS_PER_PAGE } from '../outbox.schema.ts'

/** The server replaces secrets with this. */
const SECRET_MASK = '…'

type Mail = Awaited<ReturnType<NonNullable<ReturnType<typeof outboxQuery>['queryFn']>>>['data'][number]
type Translate = ReturnType<typeof useTranslation<'admin'>>['t']

/** Expected outcomes, not errors: the campaign was cancelled, consent was withdrawn or the address bounced. */
const SKIPPED_FAULTS: ReadonlySet<string> = new Set(['campaign-cancelled', 'consent-withdrawn', 'address-bounced', 'reminder-outdated'])

/** Emails the site has written, so that a site without a mail service loses none. */
export function Outbox({ page }: { page: number }) {
  const { t } = useTranslation('admin')
  const { t: errors } = useTranslation('errors')
  const format = useFormat()
  const { data: service } = useQuery(mailServiceQuery)
  const list = useList<ListSearch>({ page }, (search) => linkOptions({ to: '/admin/outbox', search }))
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('nav.outbox')}
        meta={t('outbox.text')}
        actions={<Link to="/admin/outbox/addresses">{t('mail-addresses.title')}</Link>}
      />
      {service?.sends === false && (
        <Notice kind="warning" title={t('outbox.no-service')}>
          {t('outbox.no-service-text')} <Link to="/admin/marketplace">{t('outbox.no-service-link')}</Link>
        </Notice>
      )}
      <ListScreen
        list={list}
        caption={t('outbox.caption')}
        columns={buildMailColumns(t, errors, format)}
        query={useQuery(outboxQuery(page))}
        pageSize={MAILS_PER_PAGE}
        none={<EmptyState title={t('outbox.none')}>{t('outbox.none-text')}</EmptyState>}
      />
    </div>
  )
}

function buildMailColumns(
  t: Translate,
  errors: ReturnType<typeof useTranslation<'errors'>>['t'],
  format: Formatter,
): readonly Column<Mail>[] {
  return [
    {
      id: 'subject',
      head: t('outbox.subject'),
      names: true,
      cell: (mail) => (
        // Opening an email is recorded in the audit trail, so the page must not be preloaded.
        <Link to="/admin/outbox/$id" params={{ id: mail.id }} lang={mail.language} dir={getDirection(mail.language)} preload={false}>
          {mail.subject}
        </Link>
      ),
    },
    {
      id: 'recipient',
      head: t('outbox.to'),
      underName: true,
      cell: (mail) => <span className="breaks-anywhere">{mail.recipient}</span>,
    },
    { id: 'createdAt', head: t('outbox.written'), secondary: true, cell: (mail) => format.dateTime(mail.createdAt) },
    {
      id: 'sentAt',
      head: t('projects.status'),
      underName: true,
      cell: (mail) =>
        mail.returned ? (
          <Badge tone="bad">{t('outbox.returned')}</Badge>
        ) : mail.sentAt ? (
          <Badge tone="ok">{t('outbox.sent')}</Badge>
        ) : mail.fault ? (
          <>
            <Badge tone={SKIPPED_FAULTS.has(mail.fault) ? 'warn' : 'bad'}>
              {t(SKIPPED_FAULTS.has(mail.fault) ? 'outbox.skipped' : 'outbox.failed')}
            </Badge>
            <p className="meta">{errors(`codes.${mail.fault}`)}</p>
          </>
        ) : mail.lastError ? (
          <Badge tone="bad">{t('outbox.failed')}</Badge>
        ) : (
          <Badge hollow>{t('outbox.waiting')}</Badge>
        ),
    },
  ]
}

/** One email in plain text, as its recipient gets it. */
export function OutboxMail({ id }: { id: string }) {
  const { t } = useTranslation('admin')
  const format = useFormat()
  const { data: mail } = useSuspenseQuery(outboxMailQuery(id))
  const { data: service } = useQuery(mailServiceQuery)
  return (
    <div className="admin-stack">
      <PageHeader
        title={
          <span lang={mail.language} dir={getDirection(mail.language)}>
            {mail.subject}
          </span>
        }
        meta={`${t('outbox.to')}${format.colon}${mail.recipient}`}
        actions={<Link to="/admin/outbox">{t('outbox.back')}</Link>}
      />
      {mail.bodyText.includes(SECRET_MASK) && (
        <Notice kind="info" title={t('outbox.masked')}>
          {t(service?.sends === false ? 'outbox.masked-waiting' : 'outbox.masked-text')}
        </Notice>
      )}
      <article className="admin-panel" lang={mail.language} dir={getDirection(mail.language)}>
        <pre className="mail-text">{linkAddresses(mail.bodyText)}</pre>
      </article>
    </div>
  )
}

/** Turns URLs into links, except those with a masked secret. */
function linkAddresses(text: string) {
  return text.split(/(https?:\/\/\S+)/).map((part, index) =>
    /^https?:\/\//.test(part) && !part.includes(SECRET_MASK) ? (
      <a key={index} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  )
}
