import { and, asc, count, desc, eq, inArray, ne } from 'drizzle-orm'
import { queueAccountMail } from '#app/features/accounts/account-mails.server.ts'
import { loadSiteAdmins } from '#app/features/accounts/site-admins.server.ts'
import { recordAudit, requireDownloadReason } from '#app/features/audit/audit.server.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import { createCtx, type Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { siteDeletions, siteDomains, sites } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { createFileResponse } from '#app/server/file-response.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { recordPlatformAudit } from '../sites.managing.server.ts'
import { buildArchiveKey, readArchivePieces } from './archive.storage.server.ts'

export type DeletionRow = typeof siteDeletions.$inferSelect

const DAY_MS = 86_400_000
/** How long the export outlives the site. */
export const EXPORT_RETENTION_MS = 14 * DAY_MS

const canManageSites = ({ viewer }: Ctx): boolean => checkPermission(viewer, 'sites.manage').ok

export async function loadDeletionsById(ctx: Ctx, ids: readonly string[]): Promise<DeletionRow[]> {
  if (!canManageSites(ctx)) return []
  return ctx.runtime.database.global
    .select()
    .from(siteDeletions)
    .where(inArray(siteDeletions.id, [...ids]))
}

/** `meta.waitingDays`: for how many days a deletion requested now could be cancelled. @throws {AppError} `forbidden` */
export async function listDeletions(
  ctx: Ctx,
  query: { states: DeletionRow['state'][] | undefined; descending: boolean; page: { limit: number; offset: number } },
): Promise<{ rows: DeletionRow[]; total: number; meta: { waitingDays: number } }> {
  requirePermission(ctx, 'sites.manage')
  const { global } = ctx.runtime.database
  const where = query.states && inArray(siteDeletions.state, query.states)
  const [counted] = await global.select({ total: count() }).from(siteDeletions).where(where)
  const rows = await global
    .select()
    .from(siteDeletions)
    .where(where)
    .orderBy((query.descending ? desc : asc)(siteDeletions.askedAt), asc(siteDeletions.id))
    .limit(query.page.limit)
    .offset(query.page.offset)
  return { rows, total: counted?.total ?? 0, meta: { waitingDays: ctx.runtime.env.SITE_DELETION_DAYS } }
}

/**
 * Takes a site offline and schedules its deletion after the waiting period. Its administrators are notified by email; a job makes the
 * export.
 * @param input.name the site's name, as a confirmation
 * @returns the site's id
 * @throws {AppError} `forbidden`; `invalid` with `not-its-name`; `conflict` if it is already being deleted, or is the site this request is
 * made on
 */
export async function requestDeletion(ctx: Ctx, input: { siteId: string; name: string; reason: string }): Promise<string> {
  requirePermission(ctx, 'sites.delete')
  const { viewer } = ctx
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  const { siteId, name, reason } = input
  const { global } = ctx.runtime.database
  const [site] = await global
    .select()
    .from(sites)
    .where(and(eq(sites.id, siteId), ne(sites.id, PLATFORM_SITE_ID)))
  if (!site) throw new AppError('not-found')
  if (siteId === ctx.site.id) throw new AppError('conflict')
  if (name !== site.name.trim()) throw new AppError('invalid', { faults: [{ code: 'not-its-name', pointer: '/name' }] })
  const host = await findMainHost(ctx, siteId)
  const now = ctx.now()
  const dueAt = new Date(now.getTime() + ctx.runtime.env.SITE_DELETION_DAYS * DAY_MS)
  const detail = { title: { [site.locale]: site.name }, reason, due: dueAt }
  await ctx.runtime.database.site(siteId).tx(async (tx) => {
    const added = await tx
      .insert(siteDeletions)
      .values({
        id: siteId,
        name: site.name,
        host,
        was: site.status as DeletionRow['was'],
        reason,
        askedBy: viewer.id,
        askedByName: viewer.login,
        askedAt: now,
        dueAt,
      })
      .onConflictDoNothing()
      .returning({ id: siteDeletions.id })
    if (!added.length) throw new AppError('conflict')
    await tx.update(sites).set({ status: 'suspended' }).where(eq(sites.id, siteId))
    await notifyAdministrators(ctx, tx, { ...site, host }, { kind: 'site-deletion', due: dueAt, reason })
    await recordAudit(ctx, tx, { action: 'sites.delete-ask', siteId, subject: { type: 'sites', id: siteId }, detail })
  })
  ctx.runtime.sites.refresh()
  await recordPlatformAudit(ctx, 'sites.delete-ask', siteId, detail)
  return siteId
}

/**
 * Cancels a deletion: the site is back in its former state, and its export is deleted.
 * @throws {AppError} `forbidden`; `conflict` once deleting has started
 */
export async function cancelDeletion(ctx: Ctx, { id }: DeletionRow): Promise<void> {
  requirePermission(ctx, 'sites.manage')
  const host = await findMainHost(ctx, id)
  await ctx.runtime.database.site(id).tx(async (tx) => {
    const [kept] = await tx
      .delete(siteDeletions)
      .where(and(eq(siteDeletions.id, id), eq(siteDeletions.state, 'waiting')))
      .returning()
    if (!kept) throw new AppError('conflict')
    const [site] = await tx.update(sites).set({ status: kept.was }).where(eq(sites.id, id)).returning()
    if (!site) throw new AppError('conflict')
    await notifyAdministrators(ctx, tx, { ...site, host }, { kind: kept.was === 'active' ? 'site-kept' : 'site-kept-suspended' })
    await recordAudit(ctx, tx, { action: 'sites.delete-cancel', siteId: id, subject: { type: 'sites', id } })
  })
  ctx.runtime.sites.refresh()
  await recordPlatformAudit(ctx, 'sites.delete-cancel', id, {})
  await openStorage(ctx.runtime.env).removeBelow(buildArchiveKey(id))
}

/**
 * The whole export as an archive. The download is audited in the platform's trail and, while the site exists, in its own.
 * @throws {AppError} `unauthenticated`, `forbidden`; `not-found` before it is made and after it expires; `reason-required`
 */
export async function openArchive(ctx: Ctx, id: string) {
  requirePermission(ctx, 'sites.export')
  const [row] = isId(id) ? await loadDeletionsById(ctx, [id]) : []
  if (!row || row.exportState !== 'done' || (row.exportExpiresAt ?? 0) <= ctx.now()) throw new AppError('not-found')
  const detail = { title: { en: row.name }, bytes: row.exportBytes, reason: requireDownloadReason(ctx) }
  if (row.state === 'waiting') {
    const entry = { action: 'sites.export', siteId: id, subject: { type: 'sites', id }, detail } as const
    await ctx.runtime.database.site(id).tx((tx) => recordAudit(ctx, tx, entry))
  }
  await recordPlatformAudit(ctx, 'sites.export', id, detail)
  return {
    filename: `${(row.host ?? row.id).replace(/[^\w.-]/g, '-')}-${row.askedAt.toISOString().slice(0, 10)}.zip`,
    type: 'application/zip',
    bytes: row.exportBytes,
    pieces: readArchivePieces(ctx.runtime, row),
  }
}

export const serveSiteArchive = ({ context: { ctx }, params }: { context: RequestContext; params: { site: string } }): Promise<Response> =>
  createFileResponse(ctx, () => openArchive(ctx, params.site))

async function findMainHost(ctx: Ctx, siteId: string): Promise<string | null> {
  const [main] = await ctx.runtime.database.global
    .select({ host: siteDomains.host })
    .from(siteDomains)
    .where(eq(siteDomains.siteId, siteId))
    .orderBy(desc(siteDomains.isPrimary), asc(siteDomains.host))
  return main?.host ?? null
}

type DeletionMail = { kind: 'site-deletion'; due: Date; reason: string } | { kind: 'site-kept' } | { kind: 'site-kept-suspended' }

/** Notifies the site's own administrators by email: they cannot sign in while it is offline. */
async function notifyAdministrators(
  ctx: Ctx,
  tx: Tx,
  site: typeof sites.$inferSelect & { host: string | null },
  mail: DeletionMail,
): Promise<void> {
  const host = site.host ?? 'localhost'
  const there = createCtx(ctx.runtime, { ...site, host, primaryHost: host }, { ...ctx })
  for (const reader of await loadSiteAdmins(tx, site.id)) await queueAccountMail(there, tx, reader, mail)
}
