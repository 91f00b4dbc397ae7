import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Translated } from '#app/lib/translated.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { eventsQuery, forgetEvents } from '../events.queries.ts'
import { PhaseBadge } from './PhaseBadge.tsx'

/** The events of a project, below its activities. Each is changed on a page of its own. */
export function ProjectEvents({ project }: { project: string }) {
  const { t } = useTranslation('events-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const found = useQuery(eventsQuery(project))
  const [adding, setAdding] = useState(false)
  if (found.isError) return <Notice kind="error" title={t('load-failed')} />
  if (!found.data) return <Skeleton label={common('loading')} lines={2} />
  return (
    <section className="admin-stack" aria-labelledby="events-heading">
      <h2 id="events-heading">{t('list.title')}</h2>
      <p>{t('list.about')}</p>
      {found.data.data.length === 0 ? (
        <EmptyState title={t('list.none')}>{t('list.none-text')}</EmptyState>
      ) : (
        <ul className="admin-list">
          {found.data.data.map((event) => (
            <li key={event.id} className="admin-panel">
              <strong>{event.title}</strong>
              <span className="row">
                <PhaseBadge phase={event.phase} />
                <span className="meta">{event.startsAt ? format.dateTime(event.startsAt) : t('settings.missing')}</span>
                <Link
                  to="/admin/projects/$id/events/$event"
                  params={{ id: project, event: event.id }}
                  className={getButtonClass({ kind: 'plain', size: 'small' })}
                >
                  {t('list.open')}
                  <span className="visually-hidden"> {event.title}</span>
                </Link>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <Button kind="secondary" onClick={() => setAdding(true)}>
          {t('list.add')}
        </Button>
      </div>
      {adding && <AddEvent project={project} onClose={() => setAdding(false)} />}
    </section>
  )
}

function AddEvent({ project, onClose }: { project: string; onClose: () => void }) {
  const { t } = useTranslation('events-admin')
  const site = useSite()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [titleTranslations, setTitle] = useState<Translated>({})
  const save = useMutation({
    mutationFn: () =>
      api.create('events', { attributes: { titleTranslations }, relationships: { project: { type: 'projects', id: project } } }),
    onSuccess: async ({ data }) => {
      await forgetEvents(queryClient)
      await navigate({ to: '/admin/projects/$id/events/$event', params: { id: project, event: data.id } })
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog title={t('list.add')} saveLabel={t('save')} save={save} faults={words.faults} onClose={onClose}>
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[{ name: 'titleTranslations', label: t('settings.name') }]}
        values={{ titleTranslations }}
        onChange={(_, text) => setTitle(text)}
        messageOf={words.messageOf}
        words={words.texts}
      />
    </EditDialog>
  )
}
