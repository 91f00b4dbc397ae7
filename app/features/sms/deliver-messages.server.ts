import { setTimeout as wait } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import { createBulkChannel, createService } from '#app/features/marketplace/service-calls.server.ts'
import { type EnabledInstallation, loadEnabledInstallations } from '#app/features/marketplace/installations.server.ts'
import { ProviderFault, type Service, type SmsCarrier } from '#app/features/marketplace/integrations/integration.server.ts'
import type { SmsFault, SmsPurpose } from '#app/lib/vocabulary/sms.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import { violatedConstraint } from '#app/server/db/client.ts'
import { smsMessages } from '#app/server/db/schema/messages.ts'
import { createBatches } from '#app/server/batches.ts'
import { attemptWork } from '#app/server/jobs/attempt-work.ts'
import { describeError } from '#app/server/log.ts'
import type { Runtime } from '#app/server/runtime.ts'
import type { MessageRow } from './messages.server.ts'
import { recordOptOut } from './receive-messages.server.ts'
import {
  type BeginOutcome,
  beginTry,
  type ClaimedMessage,
  hasDueMessages,
  computeBatchSize,
  isHeldByLease,
  takeUpMessages,
} from './take-up-messages.server.ts'

const FIRST_RETRY_MS = 30_000
const MAX_RETRY_MS = 30 * 60_000
const MAX_ATTEMPTS = 12
/** A text older than this is not retried: a code is useless, an event is over. */
const LIFETIME_MS: Partial<Record<SmsPurpose, number>> = { code: 10 * 60_000, reminder: 24 * 3_600_000 }
const MAX_PER_SECOND = 1000
const MAX_BATCH = 50
/** Concurrent requests to a service: a quarter of its rate per second, within these bounds. */
const CONCURRENCY = { least: 10, most: 100 }
/** How long the list of enabled services and their settings is cached. */
const CARRIERS_CACHE_MS = 1000
/** How long one run of the job may last while there is something to send; meanwhile it polls for sites with new texts. */
const JOB_TURN_MS = 240_000
const SITE_POLL_MS = 2000

/** A text that a service accepted, to be recorded. */
interface AcceptedMessage {
  message: MessageRow
  integration: string
  providerId: string
  delivered: boolean
  /** Never leaves the product. */
  inside: boolean
}

interface Carrier extends EnabledInstallation {
  sms: SmsCarrier
  service: Service
}

/**
 * Sends the texts that are due on every site, at the rate each service allows, until none is left or time is up.
 * @param ending aborted when the process stops: texts in progress are finished, no more are claimed
 * @returns number of texts accepted by a service
 */
export async function sendDueMessages(runtime: Runtime, ending?: AbortSignal): Promise<number> {
  const until = Date.now() + JOB_TURN_MS
  const goesOn = () => Date.now() < until && !ending?.aborted
  const busy = new Map<string, Promise<void>>()
  const faults: unknown[] = []
  let sent = 0
  const sendForSite = async (ctx: Ctx) => {
    try {
      sent += await sendSiteMessages(ctx, goesOn)
    } catch (error) {
      faults.push(error)
    } finally {
      busy.delete(ctx.site.id)
    }
  }
  do {
    for (const site of await runtime.sites.loadActive()) {
      if (busy.has(site.id)) continue
      const ctx = createCtx(runtime, site)
      if (await hasDueMessages(ctx)) busy.set(site.id, sendForSite(ctx))
    }
    await Promise.race([Promise.all(busy.values()), wait(SITE_POLL_MS, undefined, { ref: false })])
  } while (busy.size > 0 && goesOn())
  await Promise.all(busy.values())
  if (faults.length > 1) throw new AggregateError(faults, `failed on ${faults.length} sites`)
  if (faults.length) throw faults[0]
  return sent
}

async function sendSiteMessages(ctx: Ctx, goesOn: () => boolean): Promise<number> {
  const session = openSendingSession(ctx, goesOn)
  let sent = 0
  const faults: unknown[] = []
  const inHand = new Set<ClaimedMessage>()
  let notifyChange = () => {}
  const waitUntilAtMost = async (most: number) => {
    while (inHand.size > most) await new Promise<void>((done) => (notifyChange = done))
  }
  const sendClaimed = async (claimed: ClaimedMessage) => {
    inHand.add(claimed)
    try {
      if (await sendOne(ctx, session, claimed)) sent += 1
    } catch (error) {
      // The database is away: the text stays marked as being sent, and is looked up once its lease has ended.
      faults.push(error)
    }
    inHand.delete(claimed)
    notifyChange()
  }
  try {
    while (goesOn() && faults.length === 0) {
      const carriers = await session.carriers()
      const [first] = carriers
      if (!first) break
      const perSecond = computeRate(first)
      const batchSize = computeBatchSize(perSecond, MAX_BATCH)
      await waitUntilAtMost(Math.max(CONCURRENCY.least, Math.min(CONCURRENCY.most, Math.ceil(perSecond / 4))) - batchSize)
      const { taken, full, waitMs } = await takeUpMessages(ctx, first.row, perSecond, batchSize)
      for (const claimed of taken) void sendClaimed(claimed)
      if (waitMs > 0) await wait(waitMs)
      else if (!full) {
        // Replies that waited for one of these are due now.
        await waitUntilAtMost(0)
        if (taken.length === 0 || !(await hasDueMessages(ctx))) break
      }
    }
  } finally {
    await waitUntilAtMost(0)
    session.close()
  }
  if (faults.length > 0) throw faults[0]
  return sent
}

const computeRate = ({ sms, service }: Carrier): number => Math.max(1, Math.min(MAX_PER_SECOND, sms.perSecond(service.settings)))

interface SendingSession {
  /** Services that can send now, in the order they were enabled. */
  carriers: () => Promise<Carrier[]>
  accept: (one: AcceptedMessage) => Promise<void>
  /** False once time is up or the process stops. */
  goesOn: () => boolean
  close: () => void
}

/** The resources of one site's sending: connections to its services, and a batch of results to record. */
function openSendingSession(ctx: Ctx, goesOn: () => boolean): SendingSession {
  const lines = new Map<string, ReturnType<typeof createBulkChannel>>()
  const getLine = (id: string) => {
    const line = lines.get(id) ?? createBulkChannel(ctx, id)
    lines.set(id, line)
    return line
  }
  let known: { carriers: Carrier[]; at: number } | undefined
  return {
    carriers: async () => {
      if (known && performance.now() - known.at < CARRIERS_CACHE_MS) return known.carriers
      const carriers = (await loadEnabledInstallations(ctx, 'send-sms')).flatMap(({ row, integration }) =>
        integration.sms ? [{ row, integration, sms: integration.sms, service: createService(ctx, row, getLine(row.id)) }] : [],
      )
      known = { carriers, at: performance.now() }
      return carriers
    },
    accept: createBatches((batch) => writeAccepted(ctx, batch)),
    goesOn,
    close: () => {
      for (const line of lines.values()) line.close()
    },
  }
}

/** Hands a text already marked as being sent to a service. @returns true if it was accepted */
function sendOne(ctx: Ctx, session: SendingSession, { message, unsure }: ClaimedMessage): Promise<boolean> {
  const send = async () => {
    try {
      if (unsure) {
        const carrier = (await session.carriers()).find(({ row }) => row.integration === message.integration)
        if (!carrier) return await giveUp(ctx, message, 'message-unknown')
        const found = await carrier.sms.find(carrier.service, toCarrierSms(ctx, message))
        if (found) return await recordAccepted(ctx, session, message, carrier, found)
      }
      return await tryCarriers(ctx, session, { message, unsure })
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      // Still unknown whether it was sent, so ask again later.
      return await scheduleRetry(ctx, message, error, 'sending')
    }
  }
  return attemptWork(send, (error) => {
    ctx.runtime.log.error(`text ${message.id} could not be sent`, describeError(error))
    return false
  })
}

async function tryCarriers(ctx: Ctx, session: SendingSession, { message, unsure }: ClaimedMessage): Promise<boolean> {
  let last: ProviderFault | undefined
  // It has just passed all checks for this service; any other attempt repeats them.
  const begunBy = unsure ? null : message.integration
  for (const carrier of await session.carriers()) {
    if (last || carrier.row.integration !== begunBy) {
      const outcome = await beginAtRate(ctx, session, carrier, message)
      if (outcome === 'off') continue
      if (outcome !== 'begun') return false
    }
    try {
      const taken = await carrier.sms.send(carrier.service, toCarrierSms(ctx, message))
      return await recordAccepted(ctx, session, message, carrier, taken)
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      if (error.unsure) throw error
      if (error.code === 'message-refused') {
        const hasOptedOut = error.reason !== undefined && error.reason === carrier.sms.optedOutCode
        if (hasOptedOut) await ctx.db.tx((tx) => recordOptOut(ctx, tx, message.phone))
        return await giveUp(ctx, message, hasOptedOut ? 'consent-withdrawn' : error.code)
      }
      last = error
    }
  }
  return last ? scheduleRetry(ctx, message, last, 'waiting') : putBack(ctx, message)
}

/** Waits until the service's rate allows a text. @returns `off` also if time runs out before that */
async function beginAtRate(ctx: Ctx, session: SendingSession, carrier: Carrier, message: MessageRow): Promise<BeginOutcome['outcome']> {
  for (;;) {
    const isEnabled = (await session.carriers()).some(({ row }) => row.id === carrier.row.id)
    if (!isEnabled || !session.goesOn()) return 'off'
    const beginning = await beginTry(ctx, carrier.row, computeRate(carrier), message)
    if (beginning.outcome !== 'wait') return beginning.outcome
    await wait(beginning.waitMs)
  }
}

const toCarrierSms = (ctx: Ctx, { id, phone, body, language, triedAt }: MessageRow) => ({
  id,
  to: phone,
  text: body,
  language,
  since: triedAt ?? ctx.now(),
})

const isMessage = (ctx: Ctx, { id }: MessageRow) => and(eq(smsMessages.siteId, ctx.site.id), eq(smsMessages.id, id))

/** Updates a text while this process holds its lease; otherwise what others wrote is kept. */
const updateLeasedMessage = (ctx: Ctx, message: MessageRow, values: Partial<MessageRow>) =>
  ctx.db.tx((tx) => tx.update(smsMessages).set(values).where(isHeldByLease(ctx, message)))

/** No service could be called: releases the text as if it had never been claimed. */
async function putBack(ctx: Ctx, message: MessageRow): Promise<false> {
  await updateLeasedMessage(ctx, message, { status: 'waiting', nextAttemptAt: ctx.now() })
  return false
}

async function recordAccepted(
  ctx: Ctx,
  session: SendingSession,
  message: MessageRow,
  { row: { integration }, sms }: Carrier,
  { providerId, delivered = false }: { providerId: string; delivered?: boolean },
): Promise<boolean> {
  try {
    await session.accept({ message, integration, providerId, delivered, inside: sms.isInternal ?? false })
    return true
  } catch (error) {
    if (violatedConstraint(error) !== 'sms_messages_provider') throw error
    // The service returned the id of another text, so the fate of this one is unknown.
    return giveUp(ctx, message, 'message-unknown')
  }
}

/** Keeps a delivery status that the service has reported meanwhile. */
const isSettledByService = sql`(${smsMessages.status} = 'delivered' or ${smsMessages.fault} = 'message-undelivered')`

function writeAccepted(ctx: Ctx, batch: readonly AcceptedMessage[]): Promise<void> {
  const given = batch.map(({ message: { id }, integration, providerId, delivered }) => ({
    id,
    integration,
    provider_id: providerId,
    delivered,
  }))
  const now = sql`${ctx.now().toISOString()}::timestamptz`
  return ctx.db.tx(async (tx) => {
    await tx.execute(sql`
      update ${smsMessages} set
        status = case when ${isSettledByService} then ${smsMessages.status} when given.delivered then 'delivered' else 'accepted' end,
        fault = case when ${isSettledByService} then ${smsMessages.fault} end,
        settled_at = case when ${isSettledByService} then ${smsMessages.settledAt} when given.delivered then ${now} end,
        sent_at = coalesce(${smsMessages.sentAt}, ${now}),
        integration = given.integration, provider_id = given.provider_id, attempts = ${smsMessages.attempts} + 1, next_attempt_at = null
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) given(id uuid, integration text, provider_id text, delivered boolean)
      where ${smsMessages.siteId} = ${ctx.site.id} and ${smsMessages.id} = given.id`)
    for (const { message, inside } of batch) {
      if (inside) continue
      // Once sent, a code is for its reader only.
      const body = message.purpose === 'code' ? { body: message.body.replace(/\d{6}/, '••••••') } : {}
      const values = { ...body, ...buildErasedFields(message) }
      if (Object.keys(values).length) await tx.update(smsMessages).set(values).where(isMessage(ctx, message))
    }
  })
}

/** For anonymous surveys and for verifying people, neither number nor text is kept after sending. */
const buildErasedFields = ({ unnamed }: MessageRow): Partial<MessageRow> => (unnamed ? { phone: '', body: '', userId: null } : {})

async function giveUp(ctx: Ctx, message: MessageRow, fault: SmsFault): Promise<false> {
  const over = { status: 'failed' as const, fault, attempts: message.attempts + 1, settledAt: ctx.now(), nextAttemptAt: null }
  await updateLeasedMessage(ctx, message, { ...over, ...buildErasedFields(message) })
  return false
}

/** Delays a text with backoff, or for as long as the service asks. @param status `sending` if it may have been sent */
async function scheduleRetry(
  ctx: Ctx,
  message: MessageRow,
  { code, retryAfter = 0 }: ProviderFault,
  status: 'waiting' | 'sending',
): Promise<false> {
  const attempts = message.attempts + 1
  const now = ctx.now().getTime()
  const useless = now - message.createdAt.getTime() > (LIFETIME_MS[message.purpose] ?? Infinity)
  if (attempts >= MAX_ATTEMPTS || useless) return giveUp(ctx, message, status === 'sending' ? 'message-unknown' : code)
  const backoff = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** message.attempts)
  await updateLeasedMessage(ctx, message, {
    status,
    attempts,
    fault: code,
    nextAttemptAt: new Date(now + Math.max(backoff, retryAfter * 1000)),
  })
  return false
}
