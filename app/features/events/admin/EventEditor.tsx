import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EventStatus } from '#app/lib/vocabulary/events.ts'
import { LanguageGapsDialog } from '#app/shell/admin/language-gaps.tsx'
import { api } from '#app/shell/api.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { eventQuery, forgetEvents } from '../events.queries.ts'
import { AttendanceList } from './AttendanceList.tsx'
import { EditEvent, type QuestionFieldsProps } from './EditEvent.tsx'
import { PhaseBadge } from './PhaseBadge.tsx'

interface EventEditorProps {
  id: string
  project: { id: string; slug: string; title: string }
  comments: ReactNode
  renderQuestions: (fields: QuestionFieldsProps) => ReactNode
}

/** An event with its settings and the people who signed up, on one page. */
export function EventEditor({ id, project, comments, renderQuestions }: EventEditorProps) {
  const { t } = useTranslation('events-admin')
  const format = useFormat()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: event } = useSuspenseQuery(eventQuery(id)).data
  const [asked, setAsked] = useState<'edit' | 'publish' | 'cancel' | 'remove'>()
  const close = () => setAsked(undefined)
  const change = useMutation({
    mutationFn: ({ status, waived }: { status: EventStatus; waived?: string[] }) =>
      api.update('events', id, { attributes: { status, ...(waived ? { waived } : {}) } }, { lockVersion: event.meta.lockVersion }),
    onSettled: async () => {
      close()
      await forgetEvents(queryClient)
    },
  })
  const remove = useMutation({
    mutationFn: () => api.remove('events', id),
    onSuccess: async () => {
      await navigate({ to: '/admin/projects/$id', params: { id: project.id } })
      await forgetEvents(queryClient)
    },
    onError: close,
  })
  const words = useEditorTexts(change.error ?? remove.error)
  const missing = t('settings.missing')
  return (
    <>
      <PageHeader
        title={event.title}
        status={<PhaseBadge phase={event.phase} />}
        meta={
          <Link to="/admin/projects/$id" params={{ id: project.id }}>
            {project.title}
          </Link>
        }
        actions={
          <>
            {comments}
            <ButtonLink kind="secondary" href={toLocalHref(`/projects/${project.slug}/events/${event.slug}`)}>
              {t('see')}
            </ButtonLink>
            {event.status === 'draft' && <Button onClick={() => setAsked('publish')}>{t('publish')}</Button>}
            {event.phase === 'upcoming' && (
              <Button kind="secondary" onClick={() => setAsked('cancel')}>
                {t('cancel-event')}
              </Button>
            )}
            {event.meta.can.remove && (
              <Button kind="secondary" onClick={() => setAsked('remove')}>
                {t('remove')}
              </Button>
            )}
          </>
        }
      />
      <div className="admin-stack">
        {words.faults.map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
        <section className="admin-stack" aria-labelledby="settings-heading">
          <h2 id="settings-heading">{t('settings.title')}</h2>
          <DefinitionList
            items={[
              { term: t('settings.starts'), value: event.startsAt ? format.dateTime(event.startsAt) : missing },
              { term: t('settings.ends'), value: event.endsAt ? format.dateTime(event.endsAt) : missing },
              { term: t('settings.place'), value: event.place || missing },
              { term: t('settings.capacity'), value: event.capacity === null ? t('settings.unlimited') : format.number(event.capacity) },
              { term: t('settings.access'), value: t(`access.${event.access}`) },
            ]}
          />
          <div className="row no-print">
            <Button kind="secondary" onClick={() => setAsked('edit')}>
              {t('settings.edit')}
            </Button>
          </div>
        </section>
        <AttendanceList event={event} />
        {event.going + event.waiting > 0 && (
          <div className="row no-print">
            <Button kind="secondary" onClick={() => window.print()}>
              {t('print')}
            </Button>
            <ButtonLink kind="secondary" href={toLocalHref(`/admin/projects/${project.id}/events/${id}/attendance.csv`)}>
              {t('download')}
            </ButtonLink>
          </div>
        )}
      </div>
      {asked === 'edit' && <EditEvent event={event} onClose={close} renderQuestions={renderQuestions} />}
      <LanguageGapsDialog
        error={change.error}
        onPublish={(waived) => change.mutateAsync({ status: 'published', waived })}
        onClose={change.reset}
      />
      {asked === 'publish' && (
        <ConfirmDialog
          title={t('publish-title')}
          isOpen
          onClose={close}
          onConfirm={() => change.mutateAsync({ status: 'published' }).then(undefined, () => undefined)}
          confirmLabel={t('publish')}
          cancelLabel={t('cancel')}
        >
          <p>{t('publish-text')}</p>
        </ConfirmDialog>
      )}
      {asked === 'cancel' && (
        <ConfirmDialog
          title={t('cancel-title')}
          isOpen
          danger
          onClose={close}
          onConfirm={() => change.mutateAsync({ status: 'cancelled' }).then(undefined, () => undefined)}
          confirmLabel={t('cancel-event')}
          cancelLabel={t('cancel')}
        >
          <p>{t('cancel-text', { count: event.going + event.waiting, number: format.number(event.going + event.waiting) })}</p>
        </ConfirmDialog>
      )}
      {asked === 'remove' && (
        <ConfirmDialog
          title={t('remove-title')}
          isOpen
          danger
          onClose={close}
          onConfirm={() => remove.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('remove')}
          cancelLabel={t('cancel')}
        />
      )}
    </>
  )
}
