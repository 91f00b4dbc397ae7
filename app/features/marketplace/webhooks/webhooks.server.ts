import { and, asc, count, desc, eq, inArray, type SQL } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { WebhookStatus } from '#app/lib/vocabulary/webhooks.ts'
import type { Ctx } from '#app/server/context.ts'
import { installations, webhookDeliveries } from '#app/server/db/schema/marketplace.ts'
import { requireConfigurePermission, canConfigure, loadInstallationsById, type InstallationRow } from '../installations.server.ts'
import { sealSettings, openSettings } from '../installation-settings.server.ts'
import { rotateSecret } from './webhook-signature.server.ts'

export type DeliveryRow = typeof webhookDeliveries.$inferSelect

const MAX_REPLAYED = 1000

const buildSiteCondition = (ctx: Ctx, more?: SQL) => and(eq(webhookDeliveries.siteId, ctx.site.id), more)

export async function loadDeliveriesById(ctx: Ctx, ids: readonly string[]): Promise<DeliveryRow[]> {
  if (!canConfigure(ctx.viewer)) return []
  return ctx.db.read((tx) =>
    tx
      .select()
      .from(webhookDeliveries)
      .where(buildSiteCondition(ctx, inArray(webhookDeliveries.id, [...ids]))),
  )
}

/** The site's deliveries, newest first. @throws {AppError} `unauthenticated`, `forbidden` */
export async function listDeliveries(
  ctx: Ctx,
  query: { status?: readonly WebhookStatus[] | undefined; offset: number; limit: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  requireConfigurePermission(ctx)
  const where = buildSiteCondition(ctx, query.status && inArray(webhookDeliveries.status, [...query.status]))
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(webhookDeliveries).where(where)
    const rows = await tx
      .select()
      .from(webhookDeliveries)
      .where(where)
      .orderBy(desc(webhookDeliveries.occurredAt), desc(webhookDeliveries.id))
      .limit(query.limit)
      .offset(query.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

/**
 * Sends one delivery again, or all failed ones, under their original ids, so that receivers can recognise duplicates.
 * @returns how many are sent again @throws {AppError} `forbidden`, `not-found`
 */
export async function replayDeliveries(ctx: Ctx, deliveryId: string | undefined): Promise<number> {
  requireConfigurePermission(ctx)
  const now = ctx.now()
  return ctx.db.tx(async (tx) => {
    const found = await tx
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(
        buildSiteCondition(ctx, deliveryId === undefined ? eq(webhookDeliveries.status, 'failed') : eq(webhookDeliveries.id, deliveryId)),
      )
      .orderBy(asc(webhookDeliveries.occurredAt))
      .limit(MAX_REPLAYED)
      .for('update')
    if (deliveryId !== undefined && found.length === 0) throw new AppError('not-found')
    if (found.length === 0) return 0
    const ids = found.map(({ id }) => id)
    await tx
      .update(webhookDeliveries)
      .set({ status: 'waiting', attempts: 0, triedSince: now, nextAttemptAt: now, fault: null, answered: null, deliveredAt: null })
      .where(buildSiteCondition(ctx, inArray(webhookDeliveries.id, ids)))
    await recordAudit(ctx, tx, {
      action: 'webhook-deliveries.replay',
      ...(deliveryId === undefined ? {} : { subject: { type: 'webhook-deliveries', id: deliveryId } }),
      detail: { count: ids.length },
    })
    return ids.length
  })
}

export interface NewSecret {
  id: string
  /** Shown only once. */
  secret: string
}

/** Rotates the signing secret. The former one still signs for a day. @throws {AppError} `forbidden`, `not-found` */
export async function renewSecret(ctx: Ctx, installationId: string): Promise<NewSecret> {
  requirePermission(ctx, 'marketplace.connect')
  const [seen] = await loadInstallationsById(ctx, [installationId])
  if (seen?.integration !== 'webhooks') throw new AppError('not-found')
  return ctx.db.tx(async (tx) => {
    const own = and(eq(installations.siteId, ctx.site.id), eq(installations.id, installationId))
    const [row] = (await tx.select().from(installations).where(own).for('update')) as (InstallationRow | undefined)[]
    if (!row) throw new AppError('not-found')
    const settings = rotateSecret(openSettings(ctx, row), ctx.now())
    await tx
      .update(installations)
      .set({ ...sealSettings(ctx, row, settings), updatedAt: ctx.now() })
      .where(own)
    await recordAudit(ctx, tx, { action: 'installations.renew-secret', subject: { type: 'installations', id: row.id } })
    return { id: createId(), secret: String(settings['signingSecret']) }
  })
}
