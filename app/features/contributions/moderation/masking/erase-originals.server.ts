import { and, asc, eq, lt, notExists, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { maskedOriginals, moderationAppeals, moderationCases, isPendingAppeal } from '#app/server/db/schema/moderation.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { releaseRemovedPhotos } from '../../photos/removed-photos.server.ts'
import { selectPlacedContributions } from '../../record/loading.server.ts'
import { loadModerationSettings } from '../moderation-settings.server.ts'

const AT_ONCE = 100

/**
 * Deletes what removed passages said and removed photos showed, once the site's time for it has passed; the text stays as everybody reads it. One whose appeal
 * waits is kept until that is decided. Run by a job.
 * @returns how many were deleted
 */
export const eraseOldOriginals = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, async (ctx) => {
    let erased = 0
    for (let last = AT_ONCE; last === AT_ONCE; erased += last) last = await eraseSomeOriginals(ctx)
    return erased
  })

const eraseSomeOriginals = (ctx: Ctx): Promise<number> =>
  ctx.db.tx(async (tx) => {
    const { originalsKeptMonths } = await loadModerationSettings(tx, ctx.site.id)
    const pending = tx
      .select({ id: moderationAppeals.id })
      .from(moderationAppeals)
      .innerJoin(
        moderationCases,
        and(eq(moderationCases.siteId, moderationAppeals.siteId), eq(moderationCases.id, moderationAppeals.caseId)),
      )
      .where(
        and(
          eq(moderationAppeals.siteId, ctx.site.id),
          isPendingAppeal,
          eq(moderationCases.contributionId, maskedOriginals.contributionId),
          sql`${moderationCases.replyId} is not distinct from ${maskedOriginals.replyId}`,
        ),
      )
    const old = await tx
      .select()
      .from(maskedOriginals)
      .where(
        and(
          eq(maskedOriginals.siteId, ctx.site.id),
          lt(maskedOriginals.maskedAt, sql`${ctx.now().toISOString()}::timestamptz - make_interval(months => ${originalsKeptMonths})`),
          notExists(pending),
        ),
      )
      .orderBy(asc(maskedOriginals.maskedAt))
      .limit(AT_ONCE)
      .for('update')
    for (const { id, contributionId, replyId } of old) {
      await tx.delete(maskedOriginals).where(and(eq(maskedOriginals.siteId, ctx.site.id), eq(maskedOriginals.id, id)))
      if (!replyId) await releaseRemovedPhotos(tx, ctx.site.id, contributionId, ctx.now())
      const [placed] = await selectPlacedContributions(tx).where(
        and(eq(contributions.siteId, ctx.site.id), eq(contributions.id, contributionId)),
      )
      if (!placed) continue
      await recordAudit(ctx, tx, {
        action: replyId ? 'replies.erase-original' : 'contributions.erase-original',
        subject: replyId ? { type: 'replies', id: replyId } : { type: 'contributions', id: contributionId },
        hubId: placed.project.hubId,
        projectId: placed.project.id,
        detail: { number: placed.contribution.number },
      })
    }
    return old.length
  })
