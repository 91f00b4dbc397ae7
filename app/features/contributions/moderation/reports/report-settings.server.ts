import { eq, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { moderationSettings } from '#app/server/db/schema/moderation.ts'
import { DEFAULT_REPORTS_TO_HOLD } from './reports.schema.ts'

export interface ReportSettings {
  /** The site's. */
  id: string
  /** Null: reports never take a text off the site. */
  reportsToHold: number | null
  lockVersion: number
}

export async function loadReportSettings(tx: Tx, siteId: string): Promise<ReportSettings> {
  const [row] = await tx.select().from(moderationSettings).where(eq(moderationSettings.siteId, siteId))
  return row
    ? { id: siteId, reportsToHold: row.reportsToHold, lockVersion: row.lockVersion }
    : { id: siteId, reportsToHold: DEFAULT_REPORTS_TO_HOLD, lockVersion: 1 }
}

/** Stores how many reports hold a text. @throws {AppError} `forbidden`, `stale` */
export async function updateReportSettings(ctx: Ctx, reportsToHold: number | null, lockVersion: number): Promise<void> {
  requirePermission(ctx.viewer, 'moderation.rules')
  const siteId = ctx.site.id
  await ctx.db.tx(async (tx) => {
    const before = await loadReportSettings(tx, siteId)
    await tx.insert(moderationSettings).values({ siteId, reportsToHold: before.reportsToHold, updatedAt: ctx.now() }).onConflictDoNothing()
    const changed = await tx
      .update(moderationSettings)
      .set({ reportsToHold, lockVersion: sql`${moderationSettings.lockVersion} + 1`, updatedAt: ctx.now() })
      .where(sql`${moderationSettings.siteId} = ${siteId} and ${moderationSettings.lockVersion} = ${lockVersion}`)
      .returning({ siteId: moderationSettings.siteId })
    if (changed.length === 0) throw new AppError('stale')
    await recordAudit(ctx, tx, {
      action: 'moderation-settings.update',
      subject: { type: 'moderation-settings', id: siteId },
      changes: listChanges({ reportsToHold: before.reportsToHold }, { reportsToHold }),
    })
  })
}
