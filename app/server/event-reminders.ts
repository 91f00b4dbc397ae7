import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { events, eventSignUps } from './db/schema/events.ts'

interface QueuedReminder {
  siteId: AnyPgColumn
  /** Null for everything that is no reminder of an event. */
  signUpId: AnyPgColumn
  createdAt: AnyPgColumn
}

/**
 * Condition for a queued mail or text that reminds of an event and no longer holds. One holds as long as the person has their place, the event
 * is going ahead and has not started, and people have not been reminded again, or told of a change, since it was queued.
 */
export const isOutdatedReminder = (now: Date, { siteId, signUpId, createdAt }: QueuedReminder): SQL<boolean> => sql<boolean>`(
  ${signUpId} is not null and not exists (
    select from ${eventSignUps} s join ${events} e on e.site_id = s.site_id and e.id = s.event_id
    where s.site_id = ${siteId} and s.id = ${signUpId} and s.state = 'going' and s.email is not null and s.reminded_at <= ${createdAt}
      and e.status = 'published' and e.starts_at > ${now.toISOString()}::timestamptz))`
