import { and, asc, eq, inArray, isNotNull, isNull, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import type { InstallationRow } from '#app/features/marketplace/installations.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { installations, smsMessages } from '#app/server/db/schema.ts'
import { isSiteActive } from '#app/server/site-status.ts'
import { updateMessages, holdBackMessages } from './hold-back.server.ts'
import type { MessageRow } from './messages.server.ts'

/** While a process has a text in hand, nobody else takes it. One that is not heard of again lets it go after this long. */
const LEASE_MS = 120_000
/** So much may leave at once, of what a service allows in a second; one text at least. */
const BURST_MS = 250

export interface ClaimedMessage {
  message: MessageRow
  /** Somebody had it in hand before and was not heard of again, or the service gave no answer: it may have been sent. */
  unsure: boolean
}

interface TakeUpResult {
  taken: ClaimedMessage[]
  /** Whether as many as were asked for were due. */
  full: boolean
  /** So long the service's rate lets nobody send, in milliseconds; zero where it did not keep anything back. */
  waitMs: number
}

/** Whether a text of the site is due, whoever may send it. */
export const hasDueMessages = (ctx: Ctx): Promise<boolean> => ctx.db.tx((tx) => hasDueMessagesIn(ctx, tx))

const hasDueMessagesIn = async (ctx: Ctx, tx: Tx): Promise<boolean> =>
  (await tx.select({ id: smsMessages.id }).from(smsMessages).where(isDue(ctx)).limit(1)).length > 0

/**
 * Takes texts that are due and may leave now by the rate of their service, all processes together. Each is marked before anybody hands it to
 * the service, so that whoever finds it marked asks the service first. What is not to go now is held in the same moment.
 * @param perSecond texts that the service allows. @param lot how many to take at most
 */
export function takeUpMessages(ctx: Ctx, service: InstallationRow, perSecond: number, lot: number): Promise<TakeUpResult> {
  const nothing = { taken: [], full: false, waitMs: 0 }
  return ctx.db.tx(async (tx) => {
    const line = await lockLine(ctx, tx, service)
    if (!line) return nothing
    // Some at a time: one by one costs more than waiting a moment.
    const waitMs = computeWaitMs(line, perSecond, lot)
    if (waitMs > 0) return (await hasDueMessagesIn(ctx, tx)) ? { taken: [], full: true, waitMs } : nothing
    const due = await claimMessages(ctx, tx, lot)
    const full = due.length === lot
    if (due.length === 0) return nothing
    const unsure = due.filter(({ status }) => status === 'sending')
    const fresh = await holdBackMessages(
      ctx,
      tx,
      due.filter(({ status }) => status === 'waiting'),
    )
    const lease = { nextAttemptAt: computeLeaseEnd(ctx) }
    await updateMessages(ctx, tx, unsure, lease)
    const marked = { ...lease, status: 'sending', integration: service.integration }
    const triedAt = ctx.now()
    await updateMessages(ctx, tx, fresh, {
      ...marked,
      triedAt: sql`coalesce(${smsMessages.triedAt}, ${triedAt.toISOString()}::timestamptz)`,
    })
    await reserveRate(ctx, tx, service, perSecond, fresh.length + unsure.length)
    return {
      taken: [
        ...unsure.map((message) => ({ message: { ...message, ...lease }, unsure: true })),
        ...fresh.map((message) => ({ message: { ...message, ...marked, triedAt: message.triedAt ?? triedAt }, unsure: false })),
      ],
      full,
      waitMs: 0,
    }
  })
}

/** `lost`: it is no longer ours to send, or is held. `off`: this service cannot be asked now. `wait`: by its rate, so many milliseconds. */
export type BeginOutcome = { outcome: 'begun' | 'lost' | 'off' } | { outcome: 'wait'; waitMs: number }

/**
 * Begins another try of a text that is in hand, now by this service: it passes every check again, is still ours, and is marked and held for
 * as long as a try takes.
 * @param message which no service has taken; changed with its row
 */
export function beginTry(ctx: Ctx, service: InstallationRow, perSecond: number, message: MessageRow): Promise<BeginOutcome> {
  return ctx.db.tx(async (tx) => {
    const line = await lockLine(ctx, tx, service)
    const [ours] = await tx.select({ id: smsMessages.id }).from(smsMessages).where(isHeldByLease(ctx, message)).for('update')
    if (!ours) return { outcome: 'lost' }
    if (!line) return { outcome: 'off' }
    if ((await holdBackMessages(ctx, tx, [message])).length === 0) return { outcome: 'lost' }
    const nextAttemptAt = computeLeaseEnd(ctx)
    const waitMs = computeWaitMs(line, perSecond, 1)
    const values = waitMs > 0 ? { nextAttemptAt } : { nextAttemptAt, status: 'sending', integration: service.integration }
    await updateMessages(ctx, tx, [message], values)
    Object.assign(message, values)
    if (waitMs > 0) return { outcome: 'wait', waitMs }
    await reserveRate(ctx, tx, service, perSecond, 1)
    return { outcome: 'begun' }
  })
}

const computeLeaseEnd = (ctx: Ctx): Date => new Date(ctx.now().getTime() + LEASE_MS)

/** The text, as long as this process has it in hand: whoever takes it up later gives it another lease, and what a service tells ends it. */
export const isHeldByLease = (ctx: Ctx, { id, nextAttemptAt }: MessageRow): SQL | undefined =>
  and(
    eq(smsMessages.siteId, ctx.site.id),
    eq(smsMessages.id, id),
    eq(smsMessages.status, 'sending'),
    nextAttemptAt ? eq(smsMessages.nextAttemptAt, nextAttemptAt) : sql`false`,
  )

const computeBurstMs = (perSecond: number): number => Math.max(BURST_MS, 1000 / perSecond)

/** How many texts one look takes best, at a rate. */
export const computeBatchSize = (perSecond: number, most: number): number =>
  Math.max(1, Math.min(most, Math.floor((perSecond * computeBurstMs(perSecond)) / 2000)))

const isInstallation = (ctx: Ctx, { id }: InstallationRow) => and(eq(installations.siteId, ctx.site.id), eq(installations.id, id))

interface RateLine {
  /** How far ahead of the clock the service's texts reach, in milliseconds. By the database's clock, which all processes share. */
  aheadMs: number
}

/** The service's line, in which processes take turns; undefined while it is disabled, removed, or its site is off the air. */
async function lockLine(ctx: Ctx, tx: Tx, service: InstallationRow): Promise<RateLine | undefined> {
  const [line] = await tx
    .select({ aheadMs: sql<number>`greatest(0, extract(epoch from ${installations.pacedUntil} - clock_timestamp()) * 1000)::float8` })
    .from(installations)
    .where(and(isInstallation(ctx, service), isNotNull(installations.enabledAt)))
    .for('no key update')
  return line && (await isSiteActive(tx, ctx.site.id)) ? { aheadMs: line.aheadMs ?? 0 } : undefined
}

/** How long the service's rate lets nobody send so many texts. */
const computeWaitMs = ({ aheadMs }: RateLine, perSecond: number, texts: number): number =>
  Math.ceil(aheadMs - (computeBurstMs(perSecond) - (texts * 1000) / perSecond))

async function reserveRate(ctx: Ctx, tx: Tx, service: InstallationRow, perSecond: number, texts: number): Promise<void> {
  if (texts === 0) return
  const ms = sql`${(texts * 1000) / perSecond}::float8 * interval '1 millisecond'`
  await tx
    .update(installations)
    .set({ pacedUntil: sql`greatest(${installations.pacedUntil}, clock_timestamp()) + ${ms}` })
    .where(isInstallation(ctx, service))
}

const isDue = (ctx: Ctx, more?: SQL): SQL | undefined =>
  and(
    eq(smsMessages.siteId, ctx.site.id),
    lte(smsMessages.nextAttemptAt, ctx.now()),
    inArray(smsMessages.status, ['waiting', 'sending']),
    more,
  )

/** A code, a reply and a trial wait for no campaign. */
async function claimMessages(ctx: Ctx, tx: Tx, most: number): Promise<MessageRow[]> {
  // The statistics know nothing yet of a campaign that was just written: all that are due would be put in order for each lot.
  await tx.execute(sql`set local enable_sort = off`)
  const selectDue = (of: SQL | undefined, count: number) =>
    tx
      .select()
      .from(smsMessages)
      .where(isDue(ctx, of))
      .orderBy(asc(smsMessages.nextAttemptAt))
      .limit(count)
      .for('update', { skipLocked: true })
  const first = await selectDue(isNull(smsMessages.campaignId), most)
  if (first.length === most) return first
  const others =
    first.length > 0
      ? notInArray(
          smsMessages.id,
          first.map(({ id }) => id),
        )
      : undefined
  return [...first, ...(await selectDue(others, most - first.length))]
}
