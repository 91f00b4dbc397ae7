import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { ProjectBreadcrumbs } from '#app/shell/project-breadcrumbs.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { Text } from '#app/ui/text.tsx'
import type { EventCardView, EventView } from '../events.schema.ts'

/** An event's address, as links of this page write it. */
export const buildEventPath = ({ slug, project }: Pick<EventView, 'slug' | 'project'>, rest = ''): string =>
  `/projects/${project.slug}/events/${slug}${rest}`

/** Home, the project, and the event unless it is the page itself. */
export function EventBreadcrumbs({ event, current }: { event: EventView; current?: ReactNode }) {
  return (
    <ProjectBreadcrumbs
      project={event.project}
      links={
        current
          ? [
              <a key="event" href={toLocalHref(buildEventPath(event))}>
                <Text words={event.title} />
              </a>,
            ]
          : []
      }
      current={current ?? <Text words={event.title} />}
    />
  )
}

type Placed = Pick<EventCardView, 'phase' | 'free' | 'hasWaitingList'>

/** How many places are free, or why signing up is not possible. */
export function PlacesTag({ event: { phase, free, hasWaitingList } }: { event: Placed }) {
  const { t } = useTranslation('events')
  const format = useFormat()
  if (phase !== 'upcoming') return <Tag kind={phase === 'draft' ? 'draft' : 'closed'}>{t(`phases.${phase}`)}</Tag>
  if (free === null) return <Tag kind="open">{t('places.unlimited')}</Tag>
  if (free > 0) return <Tag kind="open">{t('places.free', { count: free, number: format.number(free) })}</Tag>
  return <Tag kind="closed">{t(hasWaitingList ? 'places.waiting-list' : 'places.none')}</Tag>
}

/** Day and time of an event, on the site's clock. */
export function EventTime({ event: { startsAt, endsAt } }: { event: Pick<EventCardView, 'startsAt' | 'endsAt'> }) {
  const { t } = useTranslation('events')
  const format = useFormat()
  if (!startsAt || !endsAt) return null
  const isOneDay = format.date(startsAt) === format.date(endsAt)
  return (
    <time dateTime={startsAt}>
      {isOneDay
        ? t('time.one-day', { day: format.weekday(startsAt), from: format.time(startsAt), until: format.time(endsAt) })
        : t('time.days', { from: format.dateTime(startsAt), until: format.dateTime(endsAt) })}
    </time>
  )
}

/** When and where, and how people with access needs can take part. */
export function EventFacts({ event, children }: { event: EventView; children?: ReactNode }) {
  const { t } = useTranslation('events')
  return (
    <>
      <DefinitionList
        items={[
          {
            term: t('facts.when'),
            value: (
              <>
                <EventTime event={event} />
                {event.phase === 'upcoming' && (
                  <p className="no-print">
                    <a href={toLocalHref(buildEventPath(event, '/calendar.ics'))}>{t('facts.calendar')}</a>
                  </p>
                )}
              </>
            ),
          },
          ...(event.place.text ? [{ term: t('facts.where'), value: <Text words={event.place} /> }] : []),
          ...(event.accessInfo.text
            ? [
                {
                  term: t('facts.access'),
                  value: (
                    <p className="event-text" lang={event.accessInfo.lang} dir={getDirection(event.accessInfo.lang)}>
                      {event.accessInfo.text}
                    </p>
                  ),
                },
              ]
            : []),
        ]}
      />
      {children}
    </>
  )
}
