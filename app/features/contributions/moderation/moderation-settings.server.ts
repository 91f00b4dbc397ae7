import { eq, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { moderationSettings } from '#app/server/db/schema/moderation.ts'
import { DEFAULT_ORIGINALS_KEPT_MONTHS } from './moderation.schema.ts'
import { DEFAULT_REPORTS_TO_HOLD } from './reports/reports.schema.ts'

export interface ModerationSettings {
  /** Null: reports never take a text off the site. */
  reportsToHold: number | null
  /** How long what removed passages said is kept. */
  originalsKeptMonths: number
  /** A second person agrees to the words of each official answer. */
  answersNeedAgreement: boolean
  /** A second person agrees to each report of what was heard and decided. */
  reportsNeedAgreement: boolean
}

export interface ModerationSettingsRecord extends ModerationSettings {
  /** The site's. */
  id: string
  lockVersion: number
}

export async function loadModerationSettings(tx: Tx, siteId: string): Promise<ModerationSettingsRecord> {
  const [row] = await tx.select().from(moderationSettings).where(eq(moderationSettings.siteId, siteId))
  const { reportsToHold, originalsKeptMonths, answersNeedAgreement, reportsNeedAgreement, lockVersion } = row ?? {
    reportsToHold: DEFAULT_REPORTS_TO_HOLD,
    originalsKeptMonths: DEFAULT_ORIGINALS_KEPT_MONTHS,
    answersNeedAgreement: false,
    reportsNeedAgreement: false,
    lockVersion: 1,
  }
  return { id: siteId, reportsToHold, originalsKeptMonths, answersNeedAgreement, reportsNeedAgreement, lockVersion }
}

/** Stores how the site moderates; what is left out stays. @throws {AppError} `forbidden`, `stale` */
export async function updateModerationSettings(ctx: Ctx, changes: Partial<ModerationSettings>, lockVersion: number): Promise<void> {
  requirePermission(ctx, 'moderation.rules')
  const siteId = ctx.site.id
  await ctx.db.tx(async (tx) => {
    const { reportsToHold, originalsKeptMonths, answersNeedAgreement, reportsNeedAgreement } = await loadModerationSettings(tx, siteId)
    const before: ModerationSettings = { reportsToHold, originalsKeptMonths, answersNeedAgreement, reportsNeedAgreement }
    const after = { ...before, ...changes }
    await tx
      .insert(moderationSettings)
      .values({ siteId, ...before, updatedAt: ctx.now() })
      .onConflictDoNothing()
    const changed = await tx
      .update(moderationSettings)
      .set({ ...after, lockVersion: sql`${moderationSettings.lockVersion} + 1`, updatedAt: ctx.now() })
      .where(sql`${moderationSettings.siteId} = ${siteId} and ${moderationSettings.lockVersion} = ${lockVersion}`)
      .returning({ siteId: moderationSettings.siteId })
    if (changed.length === 0) throw new AppError('stale')
    await recordAudit(ctx, tx, {
      action: 'moderation-settings.update',
      subject: { type: 'moderation-settings', id: siteId },
      changes: listChanges({ ...before }, { ...after }),
    })
  })
}
