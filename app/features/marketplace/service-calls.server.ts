import { and, eq, isNull, sql } from 'drizzle-orm'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { installationCalls, installations } from '#app/server/db/schema/marketplace.ts'
import { OutgoingFault } from '#app/server/outgoing/outgoing-fault.ts'
import { type Connections, createConnections, readWholeBody, sendOutgoing } from '#app/server/outgoing/send-outgoing.ts'
import { createBatches } from '#app/server/batches.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { isHttps, buildSiteUrl } from '#app/server/site-url.ts'
import { checkCircuitBreaker, type HealthEvent, computeNextHealth } from './circuit-breaker.ts'
import type { InstallationRow } from './installations.server.ts'
import { ProviderFault, type Service, type ServiceAnswer, type ServiceRequest } from './integrations/integration.server.ts'
import { openSettings } from './installation-settings.server.ts'

const TIMEOUT_MS = 20_000
const MAX_ANSWER_BYTES = 1_000_000
/** Number of requests per installation that the log keeps. */
const MAX_CALLS_KEPT = 500

/** How an installation's requests are admitted, sent and logged. */
interface ServiceChannel {
  /** @throws {ProviderFault} `provider-paused` during a pause */
  requireAvailable: () => Promise<void>
  recordCall: (call: Call) => Promise<void>
  connections?: Connections
}

/** Creates a client of an installation's service with its settings. Every request is logged and counts for its health. */
export function createService(
  ctx: Ctx,
  installation: InstallationRow,
  channel: ServiceChannel = createChannel(ctx, installation.id),
): Service {
  const startCall = (operation: string, target: string) => {
    const [at, started] = [ctx.now(), performance.now()]
    return (outcome: Call['outcome'], status: number | null, note = '') =>
      channel.recordCall({ operation, target, outcome, status, at, milliseconds: Math.round(performance.now() - started), note })
  }
  return {
    settings: openSettings(ctx, installation),
    hook: isHttps(ctx) ? buildSiteUrl(ctx, `/hooks/sms/${installation.id}`) : null,
    sendRequest: async (request, accept = []) => {
      await channel.requireAvailable()
      const noted = startCall(request.operation, request.target)
      const { answer, fault, note } = await exchangeWithService(ctx, request, accept, channel.connections)
      await noted(fault?.code ?? 'ok', answer?.status ?? null, note)
      if (fault) throw fault
      if (!answer) throw new ProviderFault('provider-down', 'no answer', { unsure: true })
      return answer
    },
    runOperation: async ({ operation, target }, work) => {
      await channel.requireAvailable()
      const noted = startCall(operation, target)
      try {
        const result = await work({ loopback: ctx.runtime.env.OUTGOING_LOOPBACK })
        await noted('ok', null)
        return result
      } catch (error) {
        if (error instanceof ProviderFault) await noted(error.code, error.status ?? null)
        throw error
      }
    },
  }
}

const createChannel = (ctx: Ctx, id: string): ServiceChannel => ({
  requireAvailable: () => requireServiceAvailable(ctx, id),
  recordCall: async (call) => {
    await recordCalls(ctx, id, [call])
  },
})

/** A healthy service is not checked again within this time. */
const HEALTHY_CACHE_MS = 1000

/**
 * A channel for many requests in a short time: connections are reused, successes are logged in batches, and a service that was just healthy
 * is assumed to stay so. A failure is logged at once, and from then on each request checks the service again.
 */
export function createBulkChannel(ctx: Ctx, id: string): ServiceChannel & { close: () => void } {
  let wellUntil = 0
  const noteWell = createBatches<Call>(async (calls) => {
    if (await recordCalls(ctx, id, calls)) wellUntil = performance.now() + HEALTHY_CACHE_MS
  })
  const connections = createConnections()
  return {
    connections,
    close: connections.close,
    requireAvailable: async () => {
      if (performance.now() >= wellUntil) await requireServiceAvailable(ctx, id)
    },
    recordCall: async (call) => {
      if (call.outcome === 'ok') return noteWell(call)
      wellUntil = 0
      await recordCalls(ctx, id, [call])
    },
  }
}

interface ExchangeResult {
  answer?: ServiceAnswer
  fault?: ProviderFault
  note: string
}

async function exchangeWithService(
  { runtime }: Pick<Ctx, 'runtime'>,
  request: ServiceRequest,
  accept: readonly number[],
  connections: Connections | undefined,
): Promise<ExchangeResult> {
  const { url, method = 'GET', headers, secrets, body, codeOf, statusOnly, withinMs = TIMEOUT_MS } = request
  try {
    const sent = await sendOutgoing(
      {
        url,
        method,
        headers: { accept: 'application/json', ...headers },
        ...(secrets ? { secrets } : {}),
        ...(body === undefined ? {} : { body }),
        ...(connections ? { connections } : {}),
        withinMs,
        mostBytes: MAX_ANSWER_BYTES,
        // Follow no redirects: a redirected POST may be sent twice. A service that moved must be set up again.
        mostRedirects: 0,
      },
      { loopback: runtime.env.OUTGOING_LOOPBACK },
    )
    const after = parseRetryAfter(sent.headers['retry-after'])
    if (statusOnly) {
      await sent.body.return()
      const fault = findStatusFault(sent.status, after)
      return { answer: { status: sent.status, body: undefined }, ...(fault ? { fault } : {}), note: '' }
    }
    const text = (await readWholeBody(sent)).toString('utf8')
    const read = parseJson(text)
    const answer = { status: sent.status, body: read }
    const note = (read === undefined ? undefined : codeOf?.(read))?.replace(/\p{Cc}/gu, ' ').slice(0, 120) ?? ''
    const fault = findFault(sent.status, read, accept, after, note)
    return fault ? { answer, fault, note } : { answer, note }
  } catch (error) {
    if (!(error instanceof OutgoingFault)) throw error
    const never = error.reason === 'address-refused' || error.reason === 'unknown-host' || error.reason === 'insecure'
    return { fault: new ProviderFault('provider-down', error.message, { unsure: !never }), note: error.reason }
  }
}

function findFault(
  status: number,
  body: unknown,
  accept: readonly number[],
  after: number | undefined,
  note: string,
): ProviderFault | undefined {
  if ((status >= 200 && status < 300) || accept.includes(status)) {
    return body === undefined ? new ProviderFault('provider-not-understood', `answer ${status} is no JSON`, { unsure: true }) : undefined
  }
  if (status === 401 || status === 403) return new ProviderFault('provider-refused', `answer ${status} ${note}`)
  if (status === 429) return new ProviderFault('provider-busy', `answer 429 ${note}`, { retryAfter: after })
  if (status === 503) return new ProviderFault('provider-down', `answer 503 ${note}`, { unsure: true, retryAfter: after })
  if (status >= 500) return new ProviderFault('provider-down', `answer ${status} ${note}`, { unsure: true })
  if (status >= 400) return new ProviderFault('message-refused', `answer ${status} ${note}`, { reason: note })
  return new ProviderFault('provider-not-understood', `answer ${status}`)
}

/** For status-only requests, anything but 2xx is a failure, redirects included. */
function findStatusFault(status: number, after: number | undefined): ProviderFault | undefined {
  if (status >= 200 && status < 300) return undefined
  const code = status === 429 ? 'provider-busy' : status >= 500 ? 'provider-down' : 'endpoint-refused'
  return new ProviderFault(code, `answer ${status}`, { status, retryAfter: after })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Seconds, from either form of the header. */
function parseRetryAfter(value: string | undefined): number | undefined {
  if (!value) return undefined
  if (/^\d{1,6}$/.test(value.trim())) return Number(value)
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

const buildInstallationCondition = (ctx: Ctx, id: string) => and(eq(installations.siteId, ctx.site.id), eq(installations.id, id))

/** @throws {ProviderFault} `provider-paused` during a pause */
async function requireServiceAvailable(ctx: Ctx, id: string): Promise<void> {
  const now = ctx.now()
  const ok = await ctx.db.tx(async (tx) => {
    const [row] = await tx.select().from(installations).where(buildInstallationCondition(ctx, id))
    if (!row) return false
    const { ok: may, trial } = checkCircuitBreaker(row, now)
    if (!may || !trial) return may
    // Only one of the concurrent requests gets to try; the others find the pause extended.
    const { pausedUntil } = row
    const won = await tx
      .update(installations)
      .set(trial)
      .where(
        and(
          buildInstallationCondition(ctx, id),
          pausedUntil ? eq(installations.pausedUntil, pausedUntil) : isNull(installations.pausedUntil),
        ),
      )
      .returning({ id: installations.id })
    return won.length > 0
  })
  if (!ok) throw new ProviderFault('provider-paused', 'left in peace after failing again and again')
}

/** Precision of `lastUsedAt` while a service is healthy. */
const LAST_USED_PRECISION_MS = 10_000
const isHealthy = ({ health, failures, pausedUntil, failingSince, lastUsedAt }: InstallationRow, now: Date): boolean =>
  health === 'working' &&
  failures === 0 &&
  pausedUntil === null &&
  failingSince === null &&
  lastUsedAt !== null &&
  now.getTime() - lastUsedAt.getTime() < LAST_USED_PRECISION_MS

type Call = Pick<typeof installationCalls.$inferInsert, 'operation' | 'target' | 'outcome' | 'status' | 'at' | 'milliseconds' | 'note'>

/**
 * Logs requests and updates the health of the installation, which may have been removed meanwhile.
 * @param calls one, or several that all succeeded
 * @returns true if the service is healthy and was before
 */
async function recordCalls(ctx: Ctx, installationId: string, calls: readonly Call[]): Promise<boolean> {
  const now = ctx.now()
  return ctx.db.tx(async (tx) => {
    const [seen] = await tx.select().from(installations).where(buildInstallationCondition(ctx, installationId))
    const [{ outcome } = { outcome: 'ok' }] = calls
    if (!seen) return false
    await tx.insert(installationCalls).values(calls.map((call) => ({ siteId: ctx.site.id, id: createId(), installationId, ...call })))
    // Take no lock while all is well, so that concurrent requests do not wait for each other.
    if (outcome === 'ok' && isHealthy(seen, now)) return true
    // `no key update`, because the inserts above hold a key share lock on the installation's key, as do those of other transactions: a full
    // lock would deadlock with them.
    const [row] = await tx.select().from(installations).where(buildInstallationCondition(ctx, installationId)).for('no key update')
    if (!row) return false
    const event = outcome === 'message-refused' ? 'ok' : (outcome as HealthEvent)
    const next = computeNextHealth(row, event, now)
    await tx
      .update(installations)
      .set({
        ...next,
        lastUsedAt: now,
        failingSince: next.failures === 0 ? null : (row.failingSince ?? now),
        ...(event === 'ok' || event === 'provider-busy' ? {} : { lastFault: { code: event, at: now.toISOString() } }),
      })
      .where(buildInstallationCondition(ctx, installationId))
    return false
  })
}

/** Deletes old log lines of each installation on every site. @returns how many were deleted */
export function sweepCalls(runtime: Runtime): Promise<number> {
  return runOnEachSite(runtime, sweepSiteCalls)
}

const sweepSiteCalls = (ctx: Ctx): Promise<number> =>
  ctx.db.tx(async (tx) => {
    const { rowCount } = await tx.execute(sql`
      delete from installation_calls c using (
        select id, row_number() over (partition by installation_id order by at desc) as place
        from installation_calls where site_id = ${ctx.site.id}) old
      where c.site_id = ${ctx.site.id} and c.id = old.id and old.place > ${MAX_CALLS_KEPT}`)
    return rowCount ?? 0
  })
