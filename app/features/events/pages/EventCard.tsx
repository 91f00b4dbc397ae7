import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { Meta } from '#app/ui/card.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { Text } from '#app/ui/text.tsx'
import type { EventCardView } from '../events.schema.ts'
import { EventTime, PlacesTag } from './event-parts.tsx'

/** An event among what people can do in a project. */
export function EventCard({ project, event }: { project: string; event: EventCardView }) {
  const { t } = useTranslation('events')
  const isOpen = event.phase === 'upcoming' && (event.free !== 0 || event.hasWaitingList)
  return (
    <div className="card-body">
      <PlacesTag event={event} />
      <h3 lang={event.title.lang} dir={getDirection(event.title.lang)}>
        {event.title.text}
      </h3>
      <Meta
        items={[
          <>
            <Icon name="calendar" />
            <EventTime event={event} />
          </>,
          ...(event.place.text
            ? [
                <>
                  <Icon name="pin" />
                  <Text words={event.place} />
                </>,
              ]
            : []),
        ]}
      />
      <div className="row">
        <a className={getButtonClass(isOpen ? {} : { kind: 'secondary' })} href={toLocalHref(`/projects/${project}/events/${event.slug}`)}>
          {t(!isOpen ? 'card.see' : event.free === 0 ? 'card.wait' : 'card.sign-up')}
          <span className="visually-hidden"> {event.title.text}</span>
        </a>
      </div>
    </div>
  )
}
