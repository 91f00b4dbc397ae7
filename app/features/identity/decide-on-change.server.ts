import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { openClientSecret } from './provider-secrets.server.ts'
import { changeProvider, lockProvider, requireChange } from './providers.server.ts'
import { endWaitingChange, loadWaitingChanges, loadWaitingChangesById, type WaitingChange } from './waiting-changes.server.ts'

/**
 * A second site administrator agrees to a change, which takes effect at once. Nobody agrees to their own, and no program does.
 * @throws {AppError} `forbidden`, `fresh-sign-in-required`; `not-found`; `conflict` if another change or none waits by now; what
 * `updateProvider` throws
 */
export async function agreeToChange(ctx: Ctx, changeId: string): Promise<{ id: string; change: string; agreedAt: Date }> {
  requirePermission(ctx, 'identity.configure')
  const { viewer } = ctx
  if (viewer.kind === 'visitor' || viewer.siteId !== ctx.site.id || viewer.apiToken) throw new AppError('forbidden')
  const [seen] = await loadWaitingChangesById(ctx, [changeId])
  if (!seen) throw new AppError('not-found')
  if (seen.askedBy === viewer.id) throw new AppError('forbidden', { detail: { key: 'own-change' } })
  await ctx.db.tx(async (tx) => {
    const row = await lockProvider(ctx, tx, seen.providerId)
    // The person who asked must stay an administrator until this has taken effect: `lockProvider` locks that too.
    const [waiting] = await loadWaitingChanges(ctx, tx, [row.id])
    if (waiting?.id !== changeId) throw new AppError('conflict')
    const clientSecret = openClientSecret(ctx, waiting)
    const input = { ...waiting.settings, ...(clientSecret !== undefined && { clientSecret }) }
    await requireChange(ctx, tx, row, input)
    await endWaitingChange(ctx, tx, row.id)
    await changeProvider(ctx, tx, row, input)
    await recordAudit(ctx, tx, {
      action: 'identity-providers.agree-change',
      subject: { type: 'identity-providers', id: row.id },
      detail: { name: row.name, askedBy: waiting.askedBy },
    })
  })
  return { id: createId(), change: changeId, agreedAt: ctx.now() }
}

/** Refuses a change, or withdraws the viewer's own, and deletes it. @throws {AppError} `forbidden`, `fresh-sign-in-required`, `conflict` */
export async function refuseChange(ctx: Ctx, { id, providerId, askedBy }: WaitingChange): Promise<void> {
  requirePermission(ctx, 'identity.configure')
  await ctx.db.tx(async (tx) => {
    const row = await lockProvider(ctx, tx, providerId)
    const [waiting] = await loadWaitingChanges(ctx, tx, [providerId])
    if (waiting?.id !== id) throw new AppError('conflict')
    await endWaitingChange(ctx, tx, providerId)
    await recordAudit(ctx, tx, {
      action: 'identity-providers.refuse-change',
      subject: { type: 'identity-providers', id: providerId },
      detail: { name: row.name, askedBy },
    })
  })
}
