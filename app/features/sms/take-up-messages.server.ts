import { and, asc, eq, inArray, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { InstallationRow } from '#app/features/marketplace/installations.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { smsMessages } from '#app/server/db/schema/messages.ts'
import { isSiteActive } from '#app/server/site-status.ts'
import { updateMessages, holdBackMessages } from './hold-back.server.ts'
import type { MessageRow } from './messages.server.ts'

/** The lease of a process on a text; others can claim it afterwards. */
const LEASE_MS = 120_000
/** Burst size, in milliseconds of a service's rate; one text at least. */
const BURST_MS = 250

export interface ClaimedMessage {
  message: MessageRow
  /** An earlier process lost its lease or the service gave no answer, so it may have been sent. */
  unsure: boolean
}

interface TakeUpResult {
  taken: ClaimedMessage[]
  /** True if more may be due. */
  full: boolean
  /** Milliseconds until the service's rate allows more; zero if it did not limit anything. */
  waitMs: number
}

/** True if a text of the site is due, for any process to send. */
export const hasDueMessages = (ctx: Ctx): Promise<boolean> => ctx.db.read((tx) => hasDueMessagesIn(ctx, tx))

const hasDueMessagesIn = async (ctx: Ctx, tx: Tx): Promise<boolean> =>
  (
    await tx
      .select({ id: smsMessages.id })
      .from(smsMessages)
      .where(isDue(ctx, isNextReply(ctx)))
      .limit(1)
  ).length > 0

/**
 * Claims texts that are due, within the service's rate across all processes. Each is marked before it is handed to the service, so that a
 * later process that finds the mark asks the service first. Texts that must not go out now are held back in the same transaction.
 * @param perSecond texts that the service allows @param most maximum to claim
 */
export function takeUpMessages(ctx: Ctx, service: InstallationRow, perSecond: number, most: number): Promise<TakeUpResult> {
  const nothing = { taken: [], full: false, waitMs: 0 }
  return ctx.db.tx(async (tx) => {
    const line = await lockLine(ctx, tx, service)
    if (!line) return nothing
    // In batches: single texts cost more than waiting a moment.
    const waitMs = computeWaitMs(line, perSecond, most)
    if (waitMs > 0) return (await hasDueMessagesIn(ctx, tx)) ? { taken: [], full: true, waitMs } : nothing
    const due = await claimMessages(ctx, tx, most)
    if (due.length === 0) return nothing
    const unsure = due.filter(({ status }) => status === 'sending')
    const fresh = await holdBackMessages(
      ctx,
      tx,
      due.filter(({ status }) => status === 'waiting'),
    )
    const lease = { nextAttemptAt: computeLeaseEnd(ctx) }
    await updateMessages(ctx, tx, unsure, lease)
    const marked = { ...lease, status: 'sending' as const, integration: service.integration }
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
      // A text that was held back may have been what a reply waited for.
      full: due.length === most || (fresh.length + unsure.length < due.length && (await hasDueMessagesIn(ctx, tx))),
      waitMs: 0,
    }
  })
}

/** `lost`: no longer ours to send, or held back. `off`: this service cannot be called now. `wait`: for its rate, in milliseconds. */
export type BeginOutcome = { outcome: 'begun' | 'lost' | 'off' } | { outcome: 'wait'; waitMs: number }

/**
 * Starts another attempt at a claimed text, now with this service: repeats all checks, makes sure it is still ours, marks it and renews the
 * lease for one attempt.
 * @param message must not have been accepted by any service; updated along with its row
 */
export function beginTry(ctx: Ctx, service: InstallationRow, perSecond: number, message: MessageRow): Promise<BeginOutcome> {
  return ctx.db.tx(async (tx) => {
    const line = await lockLine(ctx, tx, service)
    const [ours] = await tx.select({ id: smsMessages.id }).from(smsMessages).where(isHeldByLease(ctx, message)).for('update')
    if (!ours) return { outcome: 'lost' }
    if (!line) return { outcome: 'off' }
    const [current] = await holdBackMessages(ctx, tx, [message])
    if (!current) return { outcome: 'lost' }
    const nextAttemptAt = computeLeaseEnd(ctx)
    const waitMs = computeWaitMs(line, perSecond, 1)
    const values = waitMs > 0 ? { nextAttemptAt } : { nextAttemptAt, status: 'sending' as const, integration: service.integration }
    await updateMessages(ctx, tx, [message], values)
    Object.assign(message, current, values)
    if (waitMs > 0) return { outcome: 'wait', waitMs }
    await reserveRate(ctx, tx, service, perSecond, 1)
    return { outcome: 'begun' }
  })
}

const computeLeaseEnd = (ctx: Ctx): Date => new Date(ctx.now().getTime() + LEASE_MS)

/** Condition for a text that this process still holds: claiming it again changes the lease, and a status report ends it. */
export const isHeldByLease = (ctx: Ctx, { id, nextAttemptAt }: MessageRow): SQL | undefined =>
  and(
    eq(smsMessages.siteId, ctx.site.id),
    eq(smsMessages.id, id),
    eq(smsMessages.status, 'sending'),
    nextAttemptAt ? eq(smsMessages.nextAttemptAt, nextAttemptAt) : sql`false`,
  )

const computeBurstMs = (perSecond: number): number => Math.max(BURST_MS, 1000 / perSecond)

/** The best number of texts to claim at a time, for a given rate. */
export const computeBatchSize = (perSecond: number, most: number): number =>
  Math.max(1, Math.min(most, Math.floor((perSecond * computeBurstMs(perSecond)) / 2000)))

const isInstallation = (ctx: Ctx, { id }: InstallationRow) => and(eq(installations.siteId, ctx.site.id), eq(installations.id, id))

interface RateLine {
  /**
   * How far the service's reserved sending time is ahead of the clock, in milliseconds. By the database's clock, which all processes share.
   */
  aheadMs: number
}

/** Locks the service's rate limit for this process; undefined if the service is disabled or removed, or its site is offline. */
async function lockLine(ctx: Ctx, tx: Tx, service: InstallationRow): Promise<RateLine | undefined> {
  const [line] = await tx
    .select({ aheadMs: sql<number>`greatest(0, extract(epoch from ${installations.pacedUntil} - clock_timestamp()) * 1000)::float8` })
    .from(installations)
    .where(and(isInstallation(ctx, service), isNotNull(installations.enabledAt)))
    .for('no key update')
  return line && (await isSiteActive(tx, ctx.site.id)) ? { aheadMs: line.aheadMs ?? 0 } : undefined
}

/** How long the service's rate blocks this many texts. */
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

/**
 * Replies to one number leave in the order of what they answer: each waits until the one before it has been accepted or given up. Codes and
 * test messages do not wait.
 */
const isNextReply = (ctx: Ctx): SQL => sql`(${smsMessages.purpose} not in ('reply', 'survey') or not exists (
  select from ${smsMessages} earlier where earlier.site_id = ${ctx.site.id} and earlier.phone = ${smsMessages.phone}
    and earlier.direction = 'out' and earlier.campaign_id is null and earlier.purpose in ('reply', 'survey')
    and earlier.next_attempt_at is not null and earlier.status in ('waiting', 'sending')
    and (earlier.created_at, earlier.id) < (${smsMessages.createdAt}, ${smsMessages.id})))`

/** Codes, replies and test messages never wait for a campaign. */
async function claimMessages(ctx: Ctx, tx: Tx, most: number): Promise<MessageRow[]> {
  // Statistics are stale for a campaign queued just now: the planner would sort all due texts for each batch.
  await tx.execute(sql`set local enable_sort = off`)
  const selectDue = (of: SQL | undefined, count: number) =>
    tx
      .select()
      .from(smsMessages)
      .where(isDue(ctx, of))
      .orderBy(asc(smsMessages.nextAttemptAt))
      .limit(count)
      .for('update', { skipLocked: true })
  const first = await selectDue(and(isNull(smsMessages.campaignId), isNextReply(ctx)), most)
  if (first.length === most) return first
  return [...first, ...(await selectDue(isNotNull(smsMessages.campaignId), most - first.length))]
}
