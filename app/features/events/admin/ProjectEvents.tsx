import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ProjectParts } from '#app/shell/admin/project-parts.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { eventsQuery, forgetEvents } from '../events.queries.ts'
import { PhaseBadge } from './PhaseBadge.tsx'

/** The events of a project. */
export function ProjectEvents({ project }: { project: string }) {
  const { t } = useTranslation('events-admin')
  const format = useFormat()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return (
    <ProjectParts
      name="events"
      words={{
        title: t('list.title'),
        about: t('list.about'),
        none: t('list.none'),
        noneText: t('list.none-text'),
        add: t('list.add'),
        partName: t('settings.name'),
        save: t('save'),
        failed: t('load-failed'),
      }}
      found={useQuery(eventsQuery(project))}
      renderFacts={(event) => (
        <>
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
        </>
      )}
      add={async (titleTranslations) => {
        const relationships = { project: { type: 'projects' as const, id: project } }
        const { data } = await api.create('events', { attributes: { titleTranslations }, relationships })
        await forgetEvents(queryClient)
        await navigate({ to: '/admin/projects/$id/events/$event', params: { id: project, event: data.id } })
      }}
    />
  )
}
