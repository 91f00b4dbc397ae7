import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { notificationsQuery } from '../notifications.queries.ts'
import { isOwnKind, type TaskKind } from '../notifications.schema.ts'

const PLACES: Record<TaskKind, (subject: string) => string> = {
  review: (id) => `/admin/projects/${id}`,
  appeal: () => '/admin/moderation/waiting#appeals',
  case: () => '/admin/moderation?assignee=me',
  mention: (path) => path,
  task: (path) => path,
  'task-due': (path) => path,
  published: (id) => `/admin/projects/${id}`,
  'review-returned': (id) => `/admin/projects/${id}`,
  'report-review': (id) => `/admin/projects/${id}/heard/report`,
  'report-published': (id) => `/admin/projects/${id}/heard/report`,
  'report-returned': (id) => `/admin/projects/${id}/heard/report`,
  'survey-review': (id) => `/admin/surveys/${id}`,
  'survey-published': (id) => `/admin/surveys/${id}`,
  'survey-returned': (id) => `/admin/surveys/${id}`,
  'activity-review': (path) => `/admin/projects/${path}`,
  'activity-published': (path) => `/admin/projects/${path}`,
  'activity-returned': (path) => `/admin/projects/${path}`,
  export: (id) => `/admin/surveys/${id}/responses`,
  'export-failed': (id) => `/admin/surveys/${id}/responses`,
  dataset: (id) => `/admin/city-data/datasets/${id}`,
  integration: (id) => `/admin/marketplace/${id}`,
  'site-admin-added': (id) => `/admin/people/${id}`,
  'site-admin-removed': () => '/admin/people?role=site_admin',
  'support-granted': () => '/admin/sites',
  'text-returned': (id) => `/admin/campaigns/${id}`,
  'letter-returned': (id) => `/admin/newsletters/${id}`,
  'text-over-limit': (id) => `/admin/campaigns/${id}`,
  'text-stuck': (id) => `/admin/campaigns/${id}`,
  'letter-stuck': (id) => `/admin/newsletters/${id}`,
}

/** The unread count, with the list on demand. Each notification links to its subject. */
export function NotificationBell({ navigate }: { navigate: (href: string) => void }) {
  const { t } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const [open, setOpen] = useState(false)
  const { data, isError } = useQuery(notificationsQuery)
  const items = (data?.data ?? []).flatMap(({ kind, ...item }) => (isOwnKind(kind) ? [] : [{ ...item, kind }]))
  const unread = Number(data?.meta['unread'] ?? 0)
  const words = t('notifications.unread', { count: unread, number: format.number(unread) })
  const mark = useMutation({
    mutationFn: async ({ ids, read }: { ids: readonly string[]; read: boolean }) => {
      for (const id of ids) await api.update('notifications', id, { attributes: { read } })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey }),
  })
  const waiting = items.filter((item) => !item.read).map(({ id }) => id)
  return (
    <>
      <button
        type="button"
        className="icon-button bell"
        aria-haspopup="dialog"
        aria-label={t('notifications.bell', { words })}
        onClick={() => setOpen(true)}
      >
        <Icon name="bell" />
        {unread > 0 && <span aria-hidden="true">{unread > 99 ? '99+' : format.number(unread)}</span>}
      </button>
      <output className="visually-hidden">{unread > 0 ? words : ''}</output>
      {open && (
        <Dialog
          title={t('notifications.title')}
          isOpen
          onClose={() => setOpen(false)}
          closeLabel={t('nav.close-dialog')}
          size="side"
          actions={
            waiting.length > 0 && (
              <Button kind="secondary" pending={mark.isPending} onClick={() => mark.mutate({ ids: waiting, read: true })}>
                {t('notifications.read-all')}
              </Button>
            )
          }
        >
          {isError && <Notice kind="error" title={t('load-failed')} />}
          <Refusal error={mark.error} />
          {items.length === 0 && !isError && <EmptyState title={t('notifications.none')}>{t('notifications.none-text')}</EmptyState>}
          <ul className="notifications">
            {items.map(({ id, kind, title, subject, at, read }) => (
              <li key={id} data-unread={!read || undefined}>
                <a
                  href={PLACES[kind](subject)}
                  onClick={(event) => {
                    if (event.metaKey || event.ctrlKey || event.shiftKey) return
                    event.preventDefault()
                    if (!read) mark.mutate({ ids: [id], read: true })
                    setOpen(false)
                    navigate(PLACES[kind](subject))
                  }}
                >
                  {!read && <span className="visually-hidden">{t('notifications.new')} </span>}
                  {t(`notifications.kinds.${kind}`, { title })}
                </a>
                <small>{format.dateTime(at)}</small>
                <Button kind="plain" size="small" onClick={() => mark.mutate({ ids: [id], read: !read })}>
                  {t(read ? 'notifications.mark-unread' : 'notifications.mark-read')}
                  <span className="visually-hidden"> {title}</span>
                </Button>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  )
}
