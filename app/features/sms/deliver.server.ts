import { setTimeout as wait } from 'node:timers/promises'
import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { serviceOf } from '#app/features/marketplace/calls.server.ts'
import { type Enabled, enabledWith } from '#app/features/marketplace/installations.server.ts'
import { ProviderFault, type SmsCarrier } from '#app/features/marketplace/integrations/integration.server.ts'
import { openSettings } from '#app/features/marketplace/settings.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { campaigns, smsMessages } from '#app/server/db/schema.ts'
import { describeError } from '#app/server/log.ts'
import { onEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { hasConsent } from './consents.server.ts'
import type { MessageRow } from './messages.server.ts'
import { quietUntil, zoneOf } from './quiet-hours.ts'
import type { SmsFault } from './sms.schema.ts'

/** While a process has a text in hand, nobody else takes it. One that is not heard of again lets it go after this long. */
const LEASE_MS = 120_000
const FIRST_RETRY_MS = 30_000
const LONGEST_RETRY_MS = 30 * 60_000
const MOST_ATTEMPTS = 12
/** A code is of no use later. */
const CODE_MS = 10 * 60_000
const AT_ONCE = 10
const MOST_A_BATCH = 1000
/** How long one turn of the job goes on, so that a site with much to send does not keep the others waiting. */
const TURN_MS = 20_000

interface Carrier extends Enabled {
  sms: SmsCarrier
}

/** Sends the texts that are due on every site, at the pace each service allows. @returns how many were handed to a service */
export function sendDueMessages(runtime: Runtime): Promise<number> {
  return onEachSite(runtime, sendOfSite)
}

async function sendOfSite(ctx: Ctx): Promise<number> {
  const carriers = await carriersOf(ctx)
  const [first] = carriers
  if (!first) return 0
  const pace = Math.max(1, Math.min(MOST_A_BATCH, first.sms.perSecond(openSettings(ctx, first.row))))
  const until = Date.now() + TURN_MS
  let sent = 0
  while (Date.now() < until) {
    const began = Date.now()
    const batch = await claim(ctx, pace)
    if (batch.length === 0) break
    const rest = [...batch]
    const work = async () => {
      for (let next = rest.shift(); next; next = rest.shift()) if (await sendOne(ctx, carriers, next)) sent += 1
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    if (batch.length < pace) break
    await wait(Math.max(0, 1000 - (Date.now() - began)))
  }
  return sent
}

async function carriersOf(ctx: Ctx): Promise<Carrier[]> {
  return (await enabledWith(ctx, 'send-sms')).flatMap(({ row, integration }) =>
    integration.sms ? [{ row, integration, sms: integration.sms }] : [],
  )
}

interface Claimed {
  message: MessageRow
  /** Somebody had it in hand before and was not heard of again, or the service gave no answer: it may have been sent. */
  unsure: boolean
}

function claim(ctx: Ctx, most: number): Promise<Claimed[]> {
  const now = ctx.now()
  return ctx.db.tx(async (tx) => {
    const due = await tx
      .select()
      .from(smsMessages)
      .where(
        and(eq(smsMessages.siteId, ctx.site.id), lte(smsMessages.nextAttemptAt, now), inArray(smsMessages.status, ['waiting', 'sending'])),
      )
      .orderBy(asc(smsMessages.nextAttemptAt))
      .limit(most)
      .for('update', { skipLocked: true })
    if (due.length === 0) return []
    await tx
      .update(smsMessages)
      .set({ nextAttemptAt: new Date(now.getTime() + LEASE_MS) })
      .where(
        and(
          eq(smsMessages.siteId, ctx.site.id),
          inArray(
            smsMessages.id,
            due.map(({ id }) => id),
          ),
        ),
      )
    return due.map((message) => ({ message, unsure: message.status === 'sending' }))
  })
}

/** Hands one text to a service. It is marked before, so that whoever finds it marked asks the service first: never twice. */
async function sendOne(ctx: Ctx, carriers: readonly Carrier[], { message, unsure }: Claimed): Promise<boolean> {
  try {
    if (!unsure && (await held(ctx, message))) return false
    if (unsure) {
      const carrier = carriers.find(({ row }) => row.integration === message.integration)
      if (!carrier) return await giveUp(ctx, message, 'message-unknown')
      const found = await carrier.sms.find(serviceOf(ctx, carrier.row), smsOf(ctx, message))
      if (found) return await accepted(ctx, message, carrier, found)
    }
    return await tryCarriers(ctx, carriers, message)
  } catch (error) {
    if (!(error instanceof ProviderFault)) {
      ctx.runtime.log.error(`text ${message.id} could not be sent`, describeError(error))
      return false
    }
    // What was not cleared up is asked again.
    return await later(ctx, message, error, 'sending')
  }
}

/** A campaign's text that is not to go now: it is paused or cancelled, its reader sleeps, or agrees no longer. */
async function held(ctx: Ctx, message: MessageRow): Promise<boolean> {
  const { campaignId, phone } = message
  if (!campaignId) return false
  const { status, consent } = await ctx.db.tx(async (tx) => {
    const [campaign] = await tx
      .select({ status: campaigns.status })
      .from(campaigns)
      .where(and(eq(campaigns.siteId, ctx.site.id), eq(campaigns.id, campaignId)))
    return { status: campaign?.status, consent: await hasConsent(ctx, tx, phone) }
  })
  if (status === 'paused') return hold(ctx, message, { nextAttemptAt: null })
  const skipped = { status: 'skipped', settledAt: ctx.now(), nextAttemptAt: null }
  // Gone with its project, a campaign is cancelled too.
  if (status === undefined || status === 'cancelled') return hold(ctx, message, { ...skipped, fault: 'campaign-cancelled' })
  if (!consent) return hold(ctx, message, { ...skipped, fault: 'consent-withdrawn' })
  const until = quietUntil(ctx.now(), zoneOf(phone, ctx.site.timeZone))
  return until ? hold(ctx, message, { nextAttemptAt: until }) : false
}

async function hold(ctx: Ctx, message: MessageRow, values: Partial<MessageRow>): Promise<true> {
  await change(ctx, message, values)
  return true
}

async function tryCarriers(ctx: Ctx, carriers: readonly Carrier[], message: MessageRow): Promise<boolean> {
  let last: ProviderFault | undefined
  for (const carrier of carriers) {
    await mark(ctx, message, carrier)
    try {
      const taken = await carrier.sms.send(serviceOf(ctx, carrier.row), smsOf(ctx, message))
      return await accepted(ctx, message, carrier, taken)
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      if (error.unsure) throw error
      if (error.code === 'message-refused') return await giveUp(ctx, message, error.code)
      last = error
    }
  }
  return last ? later(ctx, message, last, 'waiting') : false
}

const smsOf = (ctx: Ctx, { id, phone, body, language, triedAt }: MessageRow) => ({
  id,
  to: phone,
  text: body,
  language,
  since: triedAt ?? ctx.now(),
})

const own = (ctx: Ctx, { id }: MessageRow) => and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.id, id))

const change = (ctx: Ctx, message: MessageRow, values: Partial<MessageRow>) =>
  ctx.db.tx((tx) => tx.update(smsMessages).set(values).where(own(ctx, message)))

async function mark(ctx: Ctx, message: MessageRow, { row }: Carrier): Promise<void> {
  message.triedAt ??= ctx.now()
  message.integration = row.integration
  await change(ctx, message, { status: 'sending', integration: row.integration, triedAt: message.triedAt })
}

async function accepted(
  ctx: Ctx,
  message: MessageRow,
  { row, sms }: Carrier,
  taken: { providerId: string; delivered?: boolean },
): Promise<true> {
  const now = ctx.now()
  await change(ctx, message, {
    status: taken.delivered ? 'delivered' : 'accepted',
    integration: row.integration,
    providerId: taken.providerId,
    attempts: message.attempts + 1,
    // Once it is on its way, a code is nobody's but the reader's.
    ...(message.purpose === 'code' && !sms.inside ? { body: message.body.replace(/\d{6}/, '••••••') } : {}),
    ...(sms.inside ? {} : dropped(message)),
    fault: null,
    sentAt: now,
    settledAt: taken.delivered ? now : null,
    nextAttemptAt: null,
  })
  return true
}

/** Of a survey that promises to keep no name, neither number nor words outlast their sending. */
const dropped = ({ unnamed }: MessageRow): Partial<MessageRow> => (unnamed ? { phone: '', body: '', userId: null } : {})

async function giveUp(ctx: Ctx, message: MessageRow, fault: SmsFault): Promise<false> {
  const over = { status: 'failed', fault, attempts: message.attempts + 1, settledAt: ctx.now(), nextAttemptAt: null }
  await change(ctx, message, { ...over, ...dropped(message) })
  return false
}

/** Puts a text off, longer each time, or as long as the service asks. @param status `sending`: nobody knows whether it was sent */
async function later(
  ctx: Ctx,
  message: MessageRow,
  { code, retryAfter = 0 }: ProviderFault,
  status: 'waiting' | 'sending',
): Promise<false> {
  const attempts = message.attempts + 1
  const now = ctx.now().getTime()
  const useless = message.purpose === 'code' && now - message.createdAt.getTime() > CODE_MS
  if (attempts >= MOST_ATTEMPTS || useless) return giveUp(ctx, message, status === 'sending' ? 'message-unknown' : code)
  const backoff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** message.attempts)
  await change(ctx, message, { status, attempts, fault: code, nextAttemptAt: new Date(now + Math.max(backoff, retryAfter * 1000)) })
  return false
}
