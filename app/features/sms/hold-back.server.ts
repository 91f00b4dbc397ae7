import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { campaigns, smsConsents, smsMessages, userPhones } from '#app/server/db/schema/messages.ts'
import { isOutdatedReminder } from '#app/server/event-reminders.ts'
import type { MessageRow } from './messages.server.ts'
import { listNumberZones } from './number-zones.ts'
import { findQuietEnd } from './quiet-hours.ts'

type HoldOutcome =
  | { status: 'waiting'; nextAttemptAt: Date | null }
  | { status: 'skipped'; nextAttemptAt: null; settledAt: Date; fault: 'campaign-cancelled' | 'consent-withdrawn' | 'reminder-outdated' }

/** Texts that STOP applies to. A code and a reply to a keyword are what their reader has just asked for. */
const STOPPABLE_PURPOSES: ReadonlySet<string> = new Set(['campaign', 'reminder', 'survey', 'test'])

/**
 * Holds back the texts that must not go out now: their campaign is paused or cancelled, what they remind of no longer holds, or their reader
 * sent STOP, never consented, is blocked, changed numbers or is in quiet hours. Every attempt calls this, in the transaction that starts it.
 * @param waiting must not include any that a service may have accepted
 * @returns those that may be sent, as they are now: a reminder goes to the number that its reader has now
 */
export async function holdBackMessages(ctx: Ctx, tx: Tx, waiting: readonly MessageRow[]): Promise<MessageRow[]> {
  const messages = await useCurrentNumbers(ctx, tx, waiting)
  const checked = messages.filter(({ purpose }) => STOPPABLE_PURPOSES.has(purpose))
  if (checked.length === 0) return [...messages]
  const known = {
    statuses: await loadCampaignStatuses(ctx, tx, checked),
    consents: await loadLatestConsents(ctx, tx, checked),
    unreachable: await loadUnreachable(ctx, tx, checked),
    outdated: await loadOutdatedReminders(ctx, tx, checked),
  }
  const held = new Map<string, { as: HoldOutcome; of: MessageRow[] }>()
  const going: MessageRow[] = []
  for (const message of messages) {
    const as = findHoldReason(ctx, message, known)
    if (!as) {
      going.push(message)
      continue
    }
    const key = JSON.stringify(as)
    held.set(key, { as, of: [...(held.get(key)?.of ?? []), message] })
  }
  for (const { as, of } of held.values()) await updateMessages(ctx, tx, of, as)
  return going
}

interface HoldFacts {
  statuses: ReadonlyMap<string, string>
  consents: ReadonlyMap<string, boolean>
  unreachable: ReadonlySet<string>
  outdated: ReadonlySet<string>
}

function findHoldReason(ctx: Ctx, message: MessageRow, { statuses, consents, unreachable, outdated }: HoldFacts): HoldOutcome | undefined {
  const { id, campaignId, phone, purpose } = message
  if (!STOPPABLE_PURPOSES.has(purpose)) return undefined
  const now = ctx.now()
  const skipped = { status: 'skipped', settledAt: now, nextAttemptAt: null } as const
  if (outdated.has(id)) return { ...skipped, fault: 'reminder-outdated' }
  const consent = consents.get(phone)
  const quietEnd = purpose === 'campaign' || purpose === 'reminder' ? findQuietEnd(now, listNumberZones(phone)) : undefined
  const later = quietEnd && ({ status: 'waiting', nextAttemptAt: quietEnd } as const)
  if (campaignId === null) return consent === false || unreachable.has(id) ? { ...skipped, fault: 'consent-withdrawn' } : later
  const status = statuses.get(campaignId)
  // A campaign deleted with its project counts as cancelled.
  if (status === undefined || status === 'cancelled') return { ...skipped, fault: 'campaign-cancelled' }
  if (!consent || unreachable.has(id)) return { ...skipped, fault: 'consent-withdrawn' }
  if (status === 'paused') return { status: 'waiting', nextAttemptAt: null }
  return later
}

async function loadCampaignStatuses(ctx: Ctx, tx: Tx, messages: readonly MessageRow[]): Promise<Map<string, string>> {
  const ids = [...new Set(messages.flatMap(({ campaignId }) => campaignId ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select({ id: campaigns.id, status: campaigns.status })
    .from(campaigns)
    .where(and(eq(campaigns.siteId, ctx.site.id), inArray(campaigns.id, ids)))
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** The latest ledger entry of each number that has one. */
async function loadLatestConsents(ctx: Ctx, tx: Tx, messages: readonly MessageRow[]): Promise<Map<string, boolean>> {
  const phones = JSON.stringify([...new Set(messages.map(({ phone }) => phone))])
  const { rows } = await tx.execute<{ phone: string; given: boolean | null }>(sql`
    select asked.phone, (select c.given from ${smsConsents} c where c.site_id = ${ctx.site.id} and c.phone = asked.phone
      order by c.at desc, c.id desc limit 1) as given
    from jsonb_array_elements_text(${phones}::jsonb) asked(phone)`)
  return new Map(rows.flatMap(({ phone, given }) => (given === null ? [] : [[phone, given]])))
}

/** Ids of campaign texts and reminders whose reader was blocked, has no number or, for campaign texts, has another one now. */
async function loadUnreachable(ctx: Ctx, tx: Tx, messages: readonly MessageRow[]): Promise<Set<string>> {
  const ofPeople = messages.flatMap(({ id, campaignId, purpose, userId, phone }) =>
    userId && (campaignId || purpose === 'reminder') ? [{ id, user_id: userId, phone }] : [],
  )
  if (ofPeople.length === 0) return new Set()
  const { rows } = await tx.execute<{ id: string }>(sql`
    select asked.id from jsonb_to_recordset(${JSON.stringify(ofPeople)}::jsonb) asked(id uuid, user_id uuid, phone text)
    where not exists (select from ${users} u join ${userPhones} p on p.site_id = u.site_id and p.user_id = u.id
      where u.site_id = ${ctx.site.id} and u.id = asked.user_id and u.blocked_at is null and p.phone = asked.phone)`)
  return new Set(rows.map(({ id }) => id))
}

/** Writes the number that the reader of a reminder has now in place of the one that it was queued for. */
async function useCurrentNumbers(ctx: Ctx, tx: Tx, messages: readonly MessageRow[]): Promise<MessageRow[]> {
  const ids = messages.flatMap(({ id, purpose, userId }) => (purpose === 'reminder' && userId ? [id] : []))
  if (ids.length === 0) return [...messages]
  const { rows } = await tx.execute<{ id: string; phone: string }>(sql`
    update ${smsMessages} set phone = p.phone from ${userPhones} p
    where ${smsMessages.siteId} = ${ctx.site.id} and ${isOneOf(ids)}
      and p.site_id = ${smsMessages.siteId} and p.user_id = ${smsMessages.userId} and p.phone <> ${smsMessages.phone}
    returning ${smsMessages.id}, ${smsMessages.phone}`)
  const phones = new Map(rows.map(({ id, phone }) => [id, phone]))
  return messages.map((message) => ({ ...message, phone: phones.get(message.id) ?? message.phone }))
}

/** Ids of reminders of an event that no longer hold. */
async function loadOutdatedReminders(ctx: Ctx, tx: Tx, messages: readonly MessageRow[]): Promise<Set<string>> {
  const ids = messages.flatMap(({ id, signUpId }) => (signUpId ? [id] : []))
  if (ids.length === 0) return new Set()
  const rows = await tx
    .select({ id: smsMessages.id })
    .from(smsMessages)
    .where(and(eq(smsMessages.siteId, ctx.site.id), isOneOf(ids), isOutdatedReminder(ctx.now(), smsMessages)))
  return new Set(rows.map(({ id }) => id))
}

/** One parameter, however many there are. */
const isOneOf = (ids: readonly string[]): SQL =>
  sql`${smsMessages.id} in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

type MessageValues = { [Name in keyof MessageRow]?: MessageRow[Name] | SQL }

export async function updateMessages(ctx: Ctx, tx: Tx, messages: readonly MessageRow[], values: MessageValues): Promise<void> {
  if (messages.length === 0) return
  await tx
    .update(smsMessages)
    .set(values)
    .where(and(eq(smsMessages.siteId, ctx.site.id), isOneOf(messages.map(({ id }) => id))))
}
