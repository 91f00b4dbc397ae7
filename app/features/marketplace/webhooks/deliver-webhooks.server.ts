import { and, asc, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { installations, webhookDeliveries } from '#app/server/db/schema/marketplace.ts'
import { attemptWork } from '#app/server/jobs/attempt-work.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import { describeError } from '#app/server/log.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { isSiteActive } from '#app/server/site-status.ts'
import { createService } from '../service-calls.server.ts'
import { loadEnabledInstallations, type InstallationRow } from '../installations.server.ts'
import { ProviderFault } from '../integrations/integration.server.ts'
import { postWebhook } from '../integrations/webhooks/webhooks.server.ts'
import { recordSurveyChanges } from './survey-changes.server.ts'
import { GIVES_UP_DAYS } from './webhooks.schema.ts'

/** Lease on a delivery: nobody else may take it. Expires after this time if the process dies. */
const LEASE_MS = 120_000
const FIRST_RETRY_MS = 30_000
const MAX_RETRY_MS = 6 * 3_600_000
const DELIVERIES_PER_BATCH = 5
/** Time budget per site and run, so that one slow address does not hold up other sites. */
const TURN_MS = 20_000
const DAY_MS = 86_400_000
const RETENTION_DAYS = 30

type Delivery = typeof webhookDeliveries.$inferSelect

/** Posts due deliveries of all sites, oldest event first. @returns how many were claimed */
export function deliverWebhooks(runtime: Runtime): Promise<number> {
  return runOnEachSite(runtime, deliverSiteWebhooks)
}

async function deliverSiteWebhooks(ctx: Ctx): Promise<number> {
  const [enabled] = await loadEnabledInstallations(ctx, 'send-webhooks')
  if (!enabled) return 0
  await recordSurveyChanges(ctx, enabled.row)
  const until = Date.now() + TURN_MS
  let taken = 0
  let goesOn = true
  while (goesOn && Date.now() < until) {
    const { installation, due } = await claimDeliveries(ctx, enabled.row.id)
    if (!installation || due.length === 0) break
    const outcomes = await Promise.all(due.map((delivery) => attemptDelivery(ctx, installation, delivery)))
    taken += outcomes.filter((outcome) => outcome === 'taken').length
    goesOn = !outcomes.includes('stop')
  }
  return taken
}

/** Matches the delivery only while this process holds its lease: claiming or replaying it changes `nextAttemptAt`. */
const buildLeaseCondition = (ctx: Ctx, { id, nextAttemptAt }: Delivery) =>
  and(
    eq(webhookDeliveries.siteId, ctx.site.id),
    eq(webhookDeliveries.id, id),
    nextAttemptAt ? eq(webhookDeliveries.nextAttemptAt, nextAttemptAt) : sql`false`,
  )

interface ClaimedDeliveries {
  /** Current settings; undefined if webhooks have been disabled or removed, or the site is not active. */
  installation: InstallationRow | undefined
  due: Delivery[]
}

/** Claims the next deliveries. Settings are read again each time, because webhooks may have been disabled or redirected during the run. */
function claimDeliveries(ctx: Ctx, installationId: string): Promise<ClaimedDeliveries> {
  const now = ctx.now()
  const ofInstallation = and(eq(webhookDeliveries.siteId, ctx.site.id), eq(webhookDeliveries.installationId, installationId))
  return ctx.db.tx(async (tx) => {
    const [row] = await tx
      .select()
      .from(installations)
      .where(and(eq(installations.siteId, ctx.site.id), eq(installations.id, installationId), isNotNull(installations.enabledAt)))
    const installation: InstallationRow | undefined = row
    if (!installation || !(await isSiteActive(tx, ctx.site.id))) return { installation: undefined, due: [] }
    const found = await tx
      .select()
      .from(webhookDeliveries)
      .where(and(ofInstallation, lte(webhookDeliveries.nextAttemptAt, now)))
      .orderBy(asc(webhookDeliveries.occurredAt), asc(webhookDeliveries.id))
      .limit(DELIVERIES_PER_BATCH)
      .for('update', { skipLocked: true })
    const lease = { nextAttemptAt: new Date(now.getTime() + LEASE_MS) }
    if (found.length > 0) {
      const ids = found.map((delivery) => delivery.id)
      await tx
        .update(webhookDeliveries)
        .set(lease)
        .where(and(ofInstallation, inArray(webhookDeliveries.id, ids)))
    }
    return { installation, due: found.map((delivery) => ({ ...delivery, ...lease })) }
  })
}

/** @returns `stop` if no more should be sent to this address for now */
function attemptDelivery(ctx: Ctx, installation: InstallationRow, delivery: Delivery): Promise<'taken' | 'refused' | 'stop'> {
  const updateDelivery = (values: Partial<Delivery>) =>
    ctx.db.tx((tx) => tx.update(webhookDeliveries).set(values).where(buildLeaseCondition(ctx, delivery)))
  const attempts = delivery.attempts + 1
  const send = async () => {
    const { status } = await postWebhook(createService(ctx, installation), delivery, ctx.now())
    await updateDelivery({ status: 'delivered', attempts, answered: status, fault: null, nextAttemptAt: null, deliveredAt: ctx.now() })
    return 'taken' as const
  }
  return attemptWork<'taken' | 'refused' | 'stop'>(send, async (error) => {
    if (!(error instanceof ProviderFault)) {
      ctx.runtime.log.error(`webhook ${delivery.id} could not be delivered`, describeError(error))
      return 'stop'
    }
    const now = ctx.now()
    const { code: fault, retryAfter = 0, status } = error
    if (fault === 'provider-paused') {
      await updateDelivery({ nextAttemptAt: await loadPauseEnd(ctx, installation) })
      return 'stop'
    }
    const answered = status ?? null
    if (now.getTime() - delivery.triedSince.getTime() > GIVES_UP_DAYS * DAY_MS) {
      await updateDelivery({ status: 'failed', attempts, answered, fault, nextAttemptAt: null })
    } else {
      const backoff = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 4 ** delivery.attempts)
      await updateDelivery({ attempts, answered, fault, nextAttemptAt: new Date(now.getTime() + Math.max(backoff, retryAfter * 1000)) })
    }
    return (await disableIfGivenUp(ctx, installation, status)) ? 'stop' : 'refused'
  })
}

async function loadPauseEnd(ctx: Ctx, { id }: InstallationRow): Promise<Date> {
  const [row] = await ctx.db.read((tx) =>
    tx
      .select({ pausedUntil: installations.pausedUntil })
      .from(installations)
      .where(and(eq(installations.siteId, ctx.site.id), eq(installations.id, id))),
  )
  return row?.pausedUntil ?? new Date(ctx.now().getTime() + FIRST_RETRY_MS)
}

/**
 * Disables webhooks whose address is gone (410) or has failed for days. Waiting deliveries are kept and sent once webhooks are enabled
 * again.
 */
function disableIfGivenUp(ctx: Ctx, { id }: InstallationRow, status: number | undefined): Promise<boolean> {
  const longAgo = new Date(ctx.now().getTime() - GIVES_UP_DAYS * DAY_MS)
  return ctx.db.tx(async (tx) => {
    const disabled = await tx
      .update(installations)
      .set({ enabledAt: null, updatedAt: ctx.now(), lockVersion: sql`${installations.lockVersion} + 1` })
      .where(
        and(
          eq(installations.siteId, ctx.site.id),
          eq(installations.id, id),
          isNotNull(installations.enabledAt),
          status === 410 ? undefined : lte(installations.failingSince, longAgo),
        ),
      )
      .returning({ failingSince: installations.failingSince })
    const [row] = disabled
    if (!row) return false
    await recordAudit(ctx, tx, {
      action: 'installations.give-up',
      subject: { type: 'installations', id },
      detail: { integration: 'webhooks', failingSince: row.failingSince, ...(status ? { status } : {}) },
    })
    return true
  })
}

/** Deletes deliveries settled long ago, on every site. @returns how many were deleted */
export function sweepWebhooks(runtime: Runtime): Promise<number> {
  return runOnEachSite(runtime, (ctx) =>
    ctx.db.tx(async (tx) => {
      const before = new Date(ctx.now().getTime() - RETENTION_DAYS * DAY_MS).toISOString()
      const { rowCount } = await tx.execute(sql`
        delete from webhook_deliveries where site_id = ${ctx.site.id} and next_attempt_at is null
          and greatest(tried_since, delivered_at) < ${before}`)
      return rowCount ?? 0
    }),
  )
}
