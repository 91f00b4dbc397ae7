import { and, eq, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { isAdministrator, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { retentionSettings } from '#app/server/db/schema/projects.ts'
import { isShorter } from './project-retentions.server.ts'

interface RetentionSettings {
  /** The site's. */
  id: string
  keptMonths: number | null
  lockVersion: number
}

/** The team of a site sees how long personal data is kept; nobody else does. */
export async function listRetentionSettings(ctx: Ctx): Promise<RetentionSettings[]> {
  if (!isAdministrator(ctx.viewer)) return []
  const [row] = await ctx.db.read((tx) => tx.select().from(retentionSettings).where(eq(retentionSettings.siteId, ctx.site.id)))
  return [{ id: ctx.site.id, keptMonths: row?.keptMonths ?? null, lockVersion: row?.lockVersion ?? 1 }]
}

/** @throws {AppError} `forbidden`; `fresh-sign-in-required` to keep data for less long; `stale` */
export async function updateRetentionSettings(
  ctx: Ctx,
  before: RetentionSettings,
  keptMonths: number | null,
  version: number,
): Promise<void> {
  requirePermission(ctx, 'site.edit')
  if (isShorter(before.keptMonths, keptMonths)) requirePermission(ctx, 'participants.erase')
  const siteId = ctx.site.id
  await ctx.db.tx(async (tx) => {
    await tx.insert(retentionSettings).values({ siteId, updatedAt: ctx.now() }).onConflictDoNothing()
    const changed = await tx
      .update(retentionSettings)
      .set({ keptMonths, lockVersion: sql`${retentionSettings.lockVersion} + 1`, updatedAt: ctx.now() })
      .where(and(eq(retentionSettings.siteId, siteId), eq(retentionSettings.lockVersion, version)))
      .returning({ siteId: retentionSettings.siteId })
    if (changed.length === 0) throw new AppError('stale')
    await recordAudit(ctx, tx, {
      action: 'sites.set-retention',
      subject: { type: 'sites', id: siteId },
      changes: { keptMonths: { before: before.keptMonths, after: keptMonths } },
    })
  })
}
