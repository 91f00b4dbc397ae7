import { and, eq, sql } from 'drizzle-orm'
import { hasPostcodes } from '#app/features/areas/areas.server.ts'
import { normalisePostcode } from '#app/features/areas/postcodes.schema.ts'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { postcodeSettings, verifications } from '#app/server/db/schema/verifications.ts'
import { maySeeLists } from './eligibility-lists.server.ts'

export interface PostcodeSettings {
  /** Whole ones or beginnings, in capitals without spaces. */
  postcodes: string[]
  /** Those of the site's areas count too. */
  usesAreas: boolean
}

export interface PostcodeSettingsRecord extends PostcodeSettings {
  /** The site's. */
  id: string
  lockVersion: number
}

export async function loadPostcodeSettings(tx: Tx, siteId: string): Promise<PostcodeSettingsRecord> {
  const [row] = await tx.select().from(postcodeSettings).where(eq(postcodeSettings.siteId, siteId))
  const { postcodes, usesAreas, lockVersion } = row ?? { postcodes: [], usesAreas: false, lockVersion: 1 }
  return { id: siteId, postcodes, usesAreas, lockVersion }
}

/** The site's own settings as a list of one, for those who may edit them. */
export const listPostcodeSettings = async (ctx: Ctx): Promise<PostcodeSettingsRecord[]> =>
  maySeeLists(ctx) ? [await ctx.db.read((tx) => loadPostcodeSettings(tx, ctx.site.id))] : []

/** Whether people may declare a postcode here. */
export async function hasAcceptedPostcodes(ctx: Ctx, tx: Tx): Promise<boolean> {
  const { postcodes, usesAreas } = await loadPostcodeSettings(tx, ctx.site.id)
  return postcodes.length > 0 || (usesAreas && (await hasPostcodes(ctx, tx)))
}

/**
 * Stores which postcodes people may declare; what is left out stays. If there are none any more, everybody who declared one is no longer
 * verified by it.
 * @throws {AppError} `forbidden`, `stale`; `invalid` at `/postcodes`
 */
export async function updatePostcodeSettings(ctx: Ctx, changes: Partial<PostcodeSettings>, lockVersion: number): Promise<void> {
  requirePermission(ctx, 'eligibility-lists.edit')
  const siteId = ctx.site.id
  const wanted = { ...changes, ...(changes.postcodes && { postcodes: readPostcodes(changes.postcodes) }) }
  await ctx.db.tx(async (tx) => {
    const { postcodes, usesAreas } = await loadPostcodeSettings(tx, siteId)
    const before: PostcodeSettings = { postcodes, usesAreas }
    const after = { ...before, ...wanted }
    await tx
      .insert(postcodeSettings)
      .values({ siteId, ...before, updatedAt: ctx.now() })
      .onConflictDoNothing()
    const changed = await tx
      .update(postcodeSettings)
      .set({ ...after, lockVersion: sql`${postcodeSettings.lockVersion} + 1`, updatedAt: ctx.now() })
      .where(and(eq(postcodeSettings.siteId, siteId), eq(postcodeSettings.lockVersion, lockVersion)))
      .returning({ siteId: postcodeSettings.siteId })
    if (changed.length === 0) throw new AppError('stale')
    if (after.postcodes.length === 0 && !after.usesAreas)
      await tx.delete(verifications).where(and(eq(verifications.siteId, siteId), eq(verifications.method, 'postcode')))
    await recordAudit(ctx, tx, {
      action: 'postcode-settings.update',
      subject: { type: 'postcode-settings', id: siteId },
      changes: listChanges({ usesAreas: before.usesAreas }, { usesAreas: after.usesAreas }),
      detail: { postcodes: after.postcodes.length },
    })
  })
}

function readPostcodes(sent: readonly string[]): string[] {
  const codes = sent.map(normalisePostcode)
  if (codes.some((code) => code.length < 2)) throw new AppError('invalid', { faults: [{ code: 'wrong-format', pointer: '/postcodes' }] })
  return [...new Set(codes)]
}
