import { and, asc, eq, inArray, isNull, lte, notInArray, type SQL, sql } from 'drizzle-orm'
import type { InstallationRow } from '#app/features/marketplace/installations.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { campaigns, installations, smsConsents, smsMessages } from '#app/server/db/schema.ts'
import type { MessageRow } from './messages.server.ts'
import { quietUntil, zoneOf } from './quiet-hours.ts'

/** While a process has a text in hand, nobody else takes it. One that is not heard of again lets it go after this long. */
const LEASE_MS = 120_000
/** So much may leave at once, of what a service allows in a second; one text at least. */
const AT_ONCE_MS = 250

export interface Claimed {
  message: MessageRow
  /** Somebody had it in hand before and was not heard of again, or the service gave no answer: it may have been sent. */
  unsure: boolean
}

interface TakenUp {
  taken: Claimed[]
  /** Whether as many as were asked for were due. */
  full: boolean
  /** So long the service's rate lets nobody send, in milliseconds; zero where it did not keep anything back. */
  waitMs: number
}

/** Whether a text of the site is due, whoever may send it. */
export const isAnyDue = (ctx: Ctx): Promise<boolean> => ctx.db.tx((tx) => anyDue(ctx, tx))

const anyDue = async (ctx: Ctx, tx: Tx): Promise<boolean> =>
  (await tx.select({ id: smsMessages.id }).from(smsMessages).where(dueNow(ctx)).limit(1)).length > 0

/**
 * Takes texts that are due and may leave now by the rate of their service, all processes together. Each is marked before anybody hands it to
 * the service, so that whoever finds it marked asks the service first. What is not to go now is held in the same moment.
 * @param perSecond texts that the service allows. @param lot how many to take at most
 */
export function takeUp(ctx: Ctx, service: InstallationRow, perSecond: number, lot: number): Promise<TakenUp> {
  return ctx.db.tx(async (tx) => {
    const aheadMs = await aheadOf(ctx, tx, service)
    // Some at a time: one by one costs more than waiting a moment.
    const waitMs = Math.ceil(aheadMs - (burstMs(perSecond) - (lot * 1000) / perSecond))
    if (waitMs > 0) return (await anyDue(ctx, tx)) ? { taken: [], full: true, waitMs } : { taken: [], full: false, waitMs: 0 }
    const due = await claim(ctx, tx, lot)
    const full = due.length === lot
    if (due.length === 0) return { taken: [], full, waitMs: 0 }
    const unsure = due.filter(({ status }) => status === 'sending')
    const fresh = await withoutHeld(
      ctx,
      tx,
      due.filter(({ status }) => status === 'waiting'),
    )
    const leavesUntil = new Date(ctx.now().getTime() + LEASE_MS)
    await changeAll(ctx, tx, unsure, { nextAttemptAt: leavesUntil })
    const triedAt = ctx.now()
    await changeAll(ctx, tx, fresh, {
      status: 'sending',
      integration: service.integration,
      triedAt: sql`coalesce(${smsMessages.triedAt}, ${triedAt.toISOString()}::timestamptz)`,
      nextAttemptAt: leavesUntil,
    })
    const leaving = fresh.length + unsure.length
    if (leaving > 0)
      await tx
        .update(installations)
        .set({
          pacedUntil: sql`greatest(${installations.pacedUntil}, clock_timestamp()) + ${(leaving * 1000) / perSecond}::float8 * interval '1 millisecond'`,
        })
        .where(own(ctx, service))
    return {
      taken: [
        ...unsure.map((message) => ({ message, unsure: true })),
        ...fresh.map((message) => ({
          message: { ...message, integration: service.integration, triedAt: message.triedAt ?? triedAt },
          unsure: false,
        })),
      ],
      full,
      waitMs: 0,
    }
  })
}

const burstMs = (perSecond: number): number => Math.max(AT_ONCE_MS, 1000 / perSecond)

/** How many texts one look takes best, at a rate. */
export const lotOf = (perSecond: number, most: number): number =>
  Math.max(1, Math.min(most, Math.floor((perSecond * burstMs(perSecond)) / 2000)))

const own = (ctx: Ctx, { id }: InstallationRow) => and(eq(installations.siteId, ctx.site.id), eq(installations.id, id))

/** How far ahead of the clock the service's texts reach, in milliseconds. By the database's clock, which all processes share; they take turns here. */
async function aheadOf(ctx: Ctx, tx: Tx, service: InstallationRow): Promise<number> {
  const [line] = await tx
    .select({ ms: sql<number>`greatest(0, extract(epoch from ${installations.pacedUntil} - clock_timestamp()) * 1000)::float8` })
    .from(installations)
    .where(own(ctx, service))
    .for('no key update')
  return line?.ms ?? 0
}

const dueNow = (ctx: Ctx, more?: SQL): SQL | undefined =>
  and(
    eq(smsMessages.siteId, ctx.site.id),
    lte(smsMessages.nextAttemptAt, ctx.now()),
    inArray(smsMessages.status, ['waiting', 'sending']),
    more,
  )

/** A code, a reply and a trial wait for no campaign. */
async function claim(ctx: Ctx, tx: Tx, most: number): Promise<MessageRow[]> {
  // The statistics know nothing yet of a campaign that was just written: all that are due would be put in order for each lot.
  await tx.execute(sql`set local enable_sort = off`)
  const some = (of: SQL | undefined, count: number) =>
    tx
      .select()
      .from(smsMessages)
      .where(dueNow(ctx, of))
      .orderBy(asc(smsMessages.nextAttemptAt))
      .limit(count)
      .for('update', { skipLocked: true })
  const first = await some(isNull(smsMessages.campaignId), most)
  if (first.length === most) return first
  const others =
    first.length > 0
      ? notInArray(
          smsMessages.id,
          first.map(({ id }) => id),
        )
      : undefined
  return [...first, ...(await some(others, most - first.length))]
}

type Held = { nextAttemptAt: Date | null; status?: 'skipped'; fault?: 'campaign-cancelled' | 'consent-withdrawn'; settledAt?: Date }

/** Holds a campaign's texts that are not to go now: it is paused or cancelled, its reader sleeps, or agrees no longer. @returns the others */
async function withoutHeld(ctx: Ctx, tx: Tx, messages: readonly MessageRow[]): Promise<MessageRow[]> {
  const ofCampaigns = messages.filter(({ campaignId }) => campaignId !== null)
  if (ofCampaigns.length === 0) return [...messages]
  const statuses = await statusesOf(ctx, tx, ofCampaigns)
  const agreed = await agreedOf(ctx, tx, ofCampaigns)
  const skipped = { status: 'skipped', settledAt: ctx.now(), nextAttemptAt: null } as const
  const heldAs = ({ campaignId, phone }: MessageRow): Held | undefined => {
    if (campaignId === null) return undefined
    const status = statuses.get(campaignId)
    if (status === 'paused') return { nextAttemptAt: null }
    // Gone with its project, a campaign is cancelled too.
    if (status === undefined || status === 'cancelled') return { ...skipped, fault: 'campaign-cancelled' }
    if (!agreed.has(phone)) return { ...skipped, fault: 'consent-withdrawn' }
    const until = quietUntil(ctx.now(), zoneOf(phone, ctx.site.timeZone))
    return until ? { nextAttemptAt: until } : undefined
  }
  const held = new Map<string, { as: Held; of: MessageRow[] }>()
  const going: MessageRow[] = []
  for (const message of messages) {
    const as = heldAs(message)
    if (!as) {
      going.push(message)
      continue
    }
    const key = JSON.stringify(as)
    held.set(key, { as, of: [...(held.get(key)?.of ?? []), message] })
  }
  for (const { as, of } of held.values()) await changeAll(ctx, tx, of, as)
  return going
}

async function statusesOf(ctx: Ctx, tx: Tx, messages: readonly MessageRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(messages.flatMap(({ campaignId }) => campaignId ?? []))]
  const rows = await tx
    .select({ id: campaigns.id, status: campaigns.status })
    .from(campaigns)
    .where(and(eq(campaigns.siteId, ctx.site.id), inArray(campaigns.id, ids)))
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** Numbers of which the ledger's latest line says yes. */
async function agreedOf(ctx: Ctx, tx: Tx, messages: readonly MessageRow[]): Promise<Set<string>> {
  const phones = JSON.stringify([...new Set(messages.map(({ phone }) => phone))])
  const { rows } = await tx.execute<{ phone: string }>(sql`
    select asked.phone from jsonb_array_elements_text(${phones}::jsonb) asked(phone)
    where (select c.given from ${smsConsents} c where c.site_id = ${ctx.site.id} and c.phone = asked.phone order by c.at desc, c.id desc limit 1)`)
  return new Set(rows.map(({ phone }) => phone))
}

type Values = { [Name in keyof MessageRow]?: MessageRow[Name] | SQL }

async function changeAll(ctx: Ctx, tx: Tx, messages: readonly MessageRow[], values: Values): Promise<void> {
  if (messages.length === 0) return
  const ids = JSON.stringify(messages.map(({ id }) => id))
  await tx
    .update(smsMessages)
    .set(values)
    .where(
      and(
        eq(smsMessages.siteId, ctx.site.id),
        sql`${smsMessages.id} in (select value::uuid from jsonb_array_elements_text(${ids}::jsonb))`,
      ),
    )
}
