import type { EventView } from './events.schema.ts'

/** What search engines and previews of links are told of a page of an event. @param rest what follows the event's own address */
export const describeEventPage = (event: EventView, rest: string, isListed = false) => ({
  title: event.title.text,
  description: event.description.text,
  path: `/projects/${event.project.slug}/events/${event.slug}${rest}`,
  // Search engines must not list pages that show the reader's own sign-up.
  hidden: !isListed || !event.listed,
})
