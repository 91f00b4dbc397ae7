import { and, eq, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { hashReceiptCode } from '#app/features/participation/receipt-code.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { events, eventSignUps } from '#app/server/db/schema/events.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { type EventRow, lockEvent, type PlacedEvent, selectPlacedEvents } from '../events.policy.server.ts'
import { takesSignUps } from '../events.state.ts'
import type { SignUpRow } from './event-mails.server.ts'
import { giveFreePlaces } from './places.server.ts'

/** What is left of a sign-up without the person. */
const WITHOUT_PERSON = { userId: null, name: '', email: null, answers: {}, sealedReceipt: null, remindByText: false }

/** The sign-up of an event with this receipt code. */
export async function findByReceipt(ctx: Ctx, tx: Tx, event: Pick<EventRow, 'id'>, code: string): Promise<SignUpRow | undefined> {
  const [row] = await tx
    .select()
    .from(eventSignUps)
    .where(
      and(
        eq(eventSignUps.siteId, ctx.site.id),
        eq(eventSignUps.eventId, event.id),
        eq(eventSignUps.receiptHash, hashReceiptCode(ctx.site.id, code)),
      ),
    )
  return row
}

/**
 * Cancels a sign-up, by its receipt: the next on the waiting list moves up. What identified the person is removed. Repeating it does nothing.
 * @throws {AppError} `not-found`; `event-over` once the event has started
 */
export function cancelSignUp(ctx: Ctx, find: (tx: Tx) => Promise<PlacedEvent>, code: string): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const placed = await find(tx)
    const event = await lockEvent(tx, placed.event)
    const signUp = await findByReceipt(ctx, tx, event, code)
    if (!signUp) throw new AppError('not-found')
    if (signUp.state === 'cancelled') return
    if (!takesSignUps(ctx.now(), event)) throw new AppError('event-over')
    await cancelRow(ctx, tx, signUp.id)
    await giveFreePlaces(ctx, tx, event, placed.project)
  })
}

export async function cancelRow(ctx: Ctx, tx: Tx, id: string): Promise<void> {
  await tx
    .update(eventSignUps)
    .set({ ...WITHOUT_PERSON, state: 'cancelled' })
    .where(and(eq(eventSignUps.siteId, ctx.site.id), eq(eventSignUps.id, id)))
}

/** Sign-ups of an account, and those without one by its address if the account has confirmed it. */
const isPersons = (siteId: string, userId: string): SQL | undefined =>
  or(
    eq(eventSignUps.userId, userId),
    and(
      isNull(eventSignUps.userId),
      sql`lower(${eventSignUps.email}) = (select lower(u.email) from ${users} u
        where u.site_id = ${siteId} and u.id = ${userId} and u.email_confirmed_at is not null)`,
    ),
  )

/** Removes the sign-ups of an account that is erased. The next on the waiting list get the places. */
export async function eraseAccountSignUps(ctx: Ctx, tx: Tx, siteId: string, userId: string): Promise<void> {
  const isTheirs = and(eq(eventSignUps.siteId, siteId), isPersons(siteId, userId))
  const found = await tx.selectDistinct({ eventId: eventSignUps.eventId }).from(eventSignUps).where(isTheirs)
  if (found.length === 0) return
  const ids = found.map(({ eventId }) => eventId)
  const placed = await selectPlacedEvents(tx)
    .where(and(eq(events.siteId, siteId), inArray(events.id, ids)))
    .orderBy(events.id)
  for (const { event: seen, project } of placed) {
    const event = await lockEvent(tx, seen)
    await tx.delete(eventSignUps).where(and(isTheirs, eq(eventSignUps.eventId, event.id)))
    await giveFreePlaces(ctx, tx, event, project)
  }
}

/** For the file of a person's own data. */
export const readOwnSignUps = (tx: Tx, { siteId, userId }: { siteId: string; userId: string }) =>
  tx
    .select({
      event: events.title,
      project: projects.title,
      startsAt: events.startsAt,
      name: eventSignUps.name,
      email: eventSignUps.email,
      answers: eventSignUps.answers,
      remindByText: eventSignUps.remindByText,
      state: eventSignUps.state,
      attendedAt: eventSignUps.attendedAt,
      createdAt: eventSignUps.createdAt,
    })
    .from(eventSignUps)
    .innerJoin(events, and(eq(events.siteId, eventSignUps.siteId), eq(events.id, eventSignUps.eventId)))
    .innerJoin(projects, and(eq(projects.siteId, events.siteId), eq(projects.id, events.projectId)))
    .where(and(eq(eventSignUps.siteId, siteId), isPersons(siteId, userId)))
    .orderBy(eventSignUps.createdAt)

/** Merged accounts are one person. If both signed up for an event, the sign-up of the account that stays is kept. */
export async function moveSignUps(ctx: Ctx, tx: Tx, { from, into }: { from: string; into: string }): Promise<void> {
  const siteId = ctx.site.id
  const moved = await tx
    .selectDistinctOn([eventSignUps.eventId], { id: eventSignUps.id })
    .from(eventSignUps)
    .where(
      and(
        eq(eventSignUps.siteId, siteId),
        isPersons(siteId, from),
        ne(eventSignUps.state, 'cancelled'),
        sql`not exists (select from ${eventSignUps} own where own.site_id = ${siteId}
          and own.event_id = ${eventSignUps.eventId} and own.user_id = ${into} and own.state <> 'cancelled')`,
      ),
    )
    .orderBy(eventSignUps.eventId, eventSignUps.createdAt)
  if (moved.length === 0) return
  const ids = moved.map(({ id }) => id)
  await tx
    .update(eventSignUps)
    .set({ userId: into })
    .where(and(eq(eventSignUps.siteId, siteId), inArray(eventSignUps.id, ids)))
}

/** A project's personal data goes: sign-ups stay without the person, so that figures stay. @returns how many were changed */
export async function separateSignUps(ctx: Ctx, tx: Tx, projectId: string): Promise<number> {
  const ofProject = sql`${eventSignUps.eventId} in (select id from ${events} where site_id = ${ctx.site.id} and project_id = ${projectId})`
  const { rowCount } = await tx
    .update(eventSignUps)
    .set({ ...WITHOUT_PERSON, receiptHash: null })
    .where(
      and(
        eq(eventSignUps.siteId, ctx.site.id),
        ofProject,
        or(sql`${eventSignUps.email} is not null`, sql`${eventSignUps.receiptHash} is not null`),
      ),
    )
  return rowCount ?? 0
}
