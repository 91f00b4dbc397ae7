import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import { busyLine, serviceOf } from '#app/features/marketplace/calls.server.ts'
import { type Enabled, enabledWith } from '#app/features/marketplace/installations.server.ts'
import { ProviderFault, type Service, type SmsCarrier } from '#app/features/marketplace/integrations/integration.server.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { violatedConstraint } from '#app/server/db/client.ts'
import { smsMessages } from '#app/server/db/schema.ts'
import { inLots } from '#app/server/in-lots.ts'
import { describeError } from '#app/server/log.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { MessageRow } from './messages.server.ts'
import type { SmsFault } from './sms.schema.ts'
import { type Beginning, beginTry, type Claimed, isAnyDue, lotOf, ofLease, takeUp } from './take-up.server.ts'

const FIRST_RETRY_MS = 30_000
const LONGEST_RETRY_MS = 30 * 60_000
const MOST_ATTEMPTS = 12
/** A code is of no use later. */
const CODE_MS = 10 * 60_000
const MOST_A_SECOND = 1000
const MOST_A_LOT = 50
/** Requests to a service at the same time: a quarter of what it allows in a second, within these. */
const AT_ONCE = { least: 10, most: 100 }
/** Whether a service is still enabled, and how it is set up, is asked again after this long. */
const CARRIERS_MS = 1000
/** How long one turn of the job goes on while there is something to send; meanwhile sites that have something new are looked for. */
const TURN_MS = 240_000
const LOOK_MS = 2000

/** Writes down that a text was taken. */
interface Accepted {
  message: MessageRow
  integration: string
  providerId: string
  delivered: boolean
  /** It goes no further than the product. */
  inside: boolean
}

interface Carrier extends Enabled {
  sms: SmsCarrier
  service: Service
}

/**
 * Sends the texts that are due on every site, at the pace each service allows, until none is due or the turn is over.
 * @param ending given up when the process stops: what is in hand is finished, nothing more is taken up
 * @returns how many were handed to a service
 */
export async function sendDueMessages(runtime: Runtime, ending?: AbortSignal): Promise<number> {
  const until = Date.now() + TURN_MS
  const goesOn = () => Date.now() < until && !ending?.aborted
  const busy = new Map<string, Promise<void>>()
  const faults: unknown[] = []
  let sent = 0
  const sendOf = async (ctx: Ctx) => {
    try {
      sent += await sendOfSite(ctx, goesOn)
    } catch (error) {
      faults.push(error)
    } finally {
      busy.delete(ctx.site.id)
    }
  }
  do {
    for (const site of await runtime.sites.active()) {
      if (busy.has(site.id)) continue
      const ctx = createCtx(runtime, site)
      if (await isAnyDue(ctx)) busy.set(site.id, sendOf(ctx))
    }
    await Promise.race([Promise.all(busy.values()), wait(LOOK_MS, undefined, { ref: false })])
  } while (busy.size > 0 && goesOn())
  await Promise.all(busy.values())
  if (faults.length > 1) throw new AggregateError(faults, `failed on ${faults.length} sites`)
  if (faults.length) throw faults[0]
  return sent
}

async function sendOfSite(ctx: Ctx, goesOn: () => boolean): Promise<number> {
  const desk = openDesk(ctx, goesOn)
  let sent = 0
  const inHand = new Set<Claimed>()
  let changed = () => {}
  const noMoreThan = async (most: number) => {
    while (inHand.size > most) await new Promise<void>((done) => (changed = done))
  }
  const send = async (claimed: Claimed) => {
    inHand.add(claimed)
    if (await sendOne(ctx, desk, claimed)) sent += 1
    inHand.delete(claimed)
    changed()
  }
  try {
    while (goesOn()) {
      const carriers = await desk.carriers()
      const [first] = carriers
      if (!first) break
      const perSecond = rateOf(first)
      const lot = lotOf(perSecond, MOST_A_LOT)
      await noMoreThan(Math.max(AT_ONCE.least, Math.min(AT_ONCE.most, Math.ceil(perSecond / 4))) - lot)
      const { taken, full, waitMs } = await takeUp(ctx, first.row, perSecond, lot)
      for (const claimed of taken) void send(claimed)
      if (waitMs > 0) await wait(waitMs)
      else if (!full) break
    }
  } finally {
    await noMoreThan(0)
    desk.close()
  }
  return sent
}

const rateOf = ({ sms, service }: Carrier): number => Math.max(1, Math.min(MOST_A_SECOND, sms.perSecond(service.settings)))

interface Desk {
  /** Services that can send now, the first enabled first. */
  carriers: () => Promise<Carrier[]>
  accept: (one: Accepted) => Promise<void>
  /** Whether there is still time to wait. */
  goesOn: () => boolean
  close: () => void
}

/** What one site's sending has open: lines to its services, and what is to be written down together. */
function openDesk(ctx: Ctx, goesOn: () => boolean): Desk {
  const lines = new Map<string, ReturnType<typeof busyLine>>()
  const lineOf = (id: string) => {
    const line = lines.get(id) ?? busyLine(ctx, id)
    lines.set(id, line)
    return line
  }
  let known: { carriers: Carrier[]; at: number } | undefined
  return {
    carriers: async () => {
      if (known && performance.now() - known.at < CARRIERS_MS) return known.carriers
      const carriers = (await enabledWith(ctx, 'send-sms')).flatMap(({ row, integration }) =>
        integration.sms ? [{ row, integration, sms: integration.sms, service: serviceOf(ctx, row, lineOf(row.id)) }] : [],
      )
      known = { carriers, at: performance.now() }
      return carriers
    },
    accept: inLots((lot) => writeAccepted(ctx, lot)),
    goesOn,
    close: () => {
      for (const line of lines.values()) line.close()
    },
  }
}

/** Hands one text, which is marked, to a service. @returns whether it took it */
async function sendOne(ctx: Ctx, desk: Desk, { message, unsure }: Claimed): Promise<boolean> {
  try {
    try {
      if (unsure) {
        const carrier = (await desk.carriers()).find(({ row }) => row.integration === message.integration)
        if (!carrier) return await giveUp(ctx, message, 'message-unknown')
        const found = await carrier.sms.find(carrier.service, smsOf(ctx, message))
        if (found) return await accepted(ctx, desk, message, carrier, found)
      }
      return await tryCarriers(ctx, desk, { message, unsure })
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      // What was not cleared up is asked again.
      return await later(ctx, message, error, 'sending')
    }
  } catch (error) {
    ctx.runtime.log.error(`text ${message.id} could not be sent`, describeError(error))
    return false
  }
}

async function tryCarriers(ctx: Ctx, desk: Desk, { message, unsure }: Claimed): Promise<boolean> {
  let last: ProviderFault | undefined
  // Taken up just now for this service, it has passed every check; any later try passes them again.
  const begunBy = unsure ? null : message.integration
  for (const carrier of await desk.carriers()) {
    if (last || carrier.row.integration !== begunBy) {
      const outcome = await beginAtRate(ctx, desk, carrier, message)
      if (outcome === 'off') continue
      if (outcome !== 'begun') return false
    }
    try {
      const taken = await carrier.sms.send(carrier.service, smsOf(ctx, message))
      return await accepted(ctx, desk, message, carrier, taken)
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      if (error.unsure) throw error
      if (error.code === 'message-refused') return await giveUp(ctx, message, error.code)
      last = error
    }
  }
  return last ? later(ctx, message, last, 'waiting') : putBack(ctx, message)
}

/** Waits until the service's rate lets a text go. @returns `off` also where its turn is over before that */
async function beginAtRate(ctx: Ctx, desk: Desk, carrier: Carrier, message: MessageRow): Promise<Beginning['outcome']> {
  for (;;) {
    const isEnabled = (await desk.carriers()).some(({ row }) => row.id === carrier.row.id)
    if (!isEnabled || !desk.goesOn()) return 'off'
    const beginning = await beginTry(ctx, carrier.row, rateOf(carrier), message)
    if (beginning.outcome !== 'wait') return beginning.outcome
    await wait(beginning.waitMs)
  }
}

const smsOf = (ctx: Ctx, { id, phone, body, language, triedAt }: MessageRow) => ({
  id,
  to: phone,
  text: body,
  language,
  since: triedAt ?? ctx.now(),
})

const own = (ctx: Ctx, { id }: MessageRow) => and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.id, id))

/** Changes a text that is in hand; where it no longer is, what others wrote of it stays. */
const change = (ctx: Ctx, message: MessageRow, values: Partial<MessageRow>) =>
  ctx.db.tx((tx) => tx.update(smsMessages).set(values).where(ofLease(ctx, message)))

/** No service could be asked: it waits as if it had not been taken up. */
async function putBack(ctx: Ctx, message: MessageRow): Promise<false> {
  await change(ctx, message, { status: 'waiting', nextAttemptAt: ctx.now() })
  return false
}

async function accepted(
  ctx: Ctx,
  desk: Desk,
  message: MessageRow,
  { row: { integration }, sms }: Carrier,
  { providerId, delivered = false }: { providerId: string; delivered?: boolean },
): Promise<boolean> {
  try {
    await desk.accept({ message, integration, providerId, delivered, inside: sms.inside ?? false })
    return true
  } catch (error) {
    if (violatedConstraint(error) !== 'sms_messages_provider') throw error
    // The service names a text that is another's: what became of this one it does not say.
    return giveUp(ctx, message, 'message-unknown')
  }
}

/** What the service told meanwhile of a text stays: it was delivered, or was not. */
const TOLD = sql`(${smsMessages.status} = 'delivered' or ${smsMessages.fault} = 'message-undelivered')`

function writeAccepted(ctx: Ctx, lot: readonly Accepted[]): Promise<void> {
  const given = lot.map(({ message: { id }, integration, providerId, delivered }) => ({
    id,
    integration,
    provider_id: providerId,
    delivered,
  }))
  const now = sql`${ctx.now().toISOString()}::timestamptz`
  return ctx.db.tx(async (tx) => {
    await tx.execute(sql`
      update ${smsMessages} set
        status = case when ${TOLD} then ${smsMessages.status} when given.delivered then 'delivered' else 'accepted' end,
        fault = case when ${TOLD} then ${smsMessages.fault} end,
        settled_at = case when ${TOLD} then ${smsMessages.settledAt} when given.delivered then ${now} end,
        sent_at = coalesce(${smsMessages.sentAt}, ${now}),
        integration = given.integration, provider_id = given.provider_id, attempts = ${smsMessages.attempts} + 1, next_attempt_at = null
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given(id uuid, integration text, provider_id text, delivered boolean)
      where ${smsMessages.siteId} = ${ctx.site.id} and ${smsMessages.id} = given.id`)
    for (const { message, inside } of lot) {
      if (inside) continue
      // Once it is on its way, a code is nobody's but the reader's.
      const body = message.purpose === 'code' ? { body: message.body.replace(/\d{6}/, '••••••') } : {}
      const values = { ...body, ...dropped(message) }
      if (Object.keys(values).length) await tx.update(smsMessages).set(values).where(own(ctx, message))
    }
  })
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
