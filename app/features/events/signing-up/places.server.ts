import { and, asc, eq, sql } from 'drizzle-orm'
import type { ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import type { EventRow } from '../events.policy.server.ts'
import { findRemindedAt, takesSignUps } from '../events.state.ts'
import { mailSignUp } from './event-mails.server.ts'

export interface Places {
  going: number
  waiting: number
}

/** Counts an event's sign-ups from their rows. Exact only while the event's row is locked. */
export async function countPlaces(tx: Tx, { siteId, id }: Pick<EventRow, 'siteId' | 'id'>): Promise<Places> {
  const [counted] = await tx
    .select({
      going: sql<number>`count(*) filter (where ${eventSignUps.state} = 'going')::int`,
      waiting: sql<number>`count(*) filter (where ${eventSignUps.state} = 'waiting')::int`,
    })
    .from(eventSignUps)
    .where(and(eq(eventSignUps.siteId, siteId), eq(eventSignUps.eventId, id)))
  return counted ?? { going: 0, waiting: 0 }
}

/** Stores how many have a place and how many wait, after sign-ups of the locked event changed. */
async function storePlaces(tx: Tx, { siteId, id }: Pick<EventRow, 'siteId' | 'id'>): Promise<void> {
  await tx
    .update(events)
    .set(await countPlaces(tx, { siteId, id }))
    .where(and(eq(events.siteId, siteId), eq(events.id, id)))
}

/**
 * Gives free places to those who have waited longest, tells them by mail, and stores how many there are. Call it in the transaction that has
 * locked the event's row and changed its sign-ups, its capacity or its times.
 * @param event as it is now
 */
export async function giveFreePlaces(ctx: Ctx, tx: Tx, event: EventRow, project: Pick<ProjectRow, 'slug' | 'status'>): Promise<void> {
  const { siteId, id: eventId, capacity } = event
  if (project.status === 'published' && takesSignUps(ctx.now(), event)) {
    const { going, waiting } = await countPlaces(tx, event)
    const free = Math.min(capacity === null ? waiting : capacity - going, waiting)
    const next =
      free > 0
        ? await tx
            .select()
            .from(eventSignUps)
            .where(and(eq(eventSignUps.siteId, siteId), eq(eventSignUps.eventId, eventId), eq(eventSignUps.state, 'waiting')))
            .orderBy(asc(eventSignUps.createdAt), asc(eventSignUps.id))
            .limit(free)
        : []
    for (const { id } of next) {
      const [signUp] = await tx
        .update(eventSignUps)
        .set({ state: 'going', remindedAt: findRemindedAt(ctx.now(), event) })
        .where(and(eq(eventSignUps.siteId, siteId), eq(eventSignUps.id, id)))
        .returning()
      if (signUp) await mailSignUp(ctx, tx, 'event-moved-up', { event, project, signUp })
    }
  }
  await storePlaces(tx, event)
}
