import { and, asc, count, desc, eq, inArray, ne } from 'drizzle-orm'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { siteDomains } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { recordPlatformAudit } from './sites.managing.server.ts'

type DomainRow = typeof siteDomains.$inferSelect

/** Enough for any site: its own, the previous one, and common misspellings. */
const MAX_DOMAINS = 20

const canManageSites = ({ viewer }: Ctx): boolean => checkPermission(viewer, 'sites.manage').ok

export async function loadDomainsById(ctx: Ctx, ids: readonly string[]): Promise<DomainRow[]> {
  if (!canManageSites(ctx)) return []
  return ctx.runtime.database.global
    .select()
    .from(siteDomains)
    .where(and(inArray(siteDomains.id, [...ids]), ne(siteDomains.siteId, PLATFORM_SITE_ID)))
}

/** Domains of every site, or of one. @throws {AppError} `forbidden` */
export async function listDomains(
  ctx: Ctx,
  query: { site: string | undefined; descending: boolean; page: { limit: number; offset: number } },
): Promise<{ rows: DomainRow[]; total: number }> {
  requirePermission(ctx, 'sites.manage')
  const { global } = ctx.runtime.database
  const where = and(ne(siteDomains.siteId, PLATFORM_SITE_ID), query.site === undefined ? undefined : eq(siteDomains.siteId, query.site))
  const [counted] = await global.select({ total: count() }).from(siteDomains).where(where)
  const rows = await global
    .select()
    .from(siteDomains)
    .where(where)
    .orderBy((query.descending ? desc : asc)(siteDomains.host))
    .limit(query.page.limit)
    .offset(query.page.offset)
  return { rows, total: counted?.total ?? 0 }
}

/**
 * Makes a site available at one more domain.
 * @returns the domain's id
 * @throws {AppError} `forbidden`; `invalid` with `taken` if a site already uses it, or `too-many`
 */
export async function addDomain(ctx: Ctx, input: { host: string; siteId: string }): Promise<string> {
  requirePermission(ctx, 'sites.manage')
  const { host, siteId } = input
  const id = createId()
  const { global } = ctx.runtime.database
  const [present] = await global.select({ total: count() }).from(siteDomains).where(eq(siteDomains.siteId, siteId))
  if ((present?.total ?? 0) >= MAX_DOMAINS)
    throw new AppError('invalid', { faults: [{ code: 'too-many', pointer: '/host', values: { max: MAX_DOMAINS } }] })
  const added = await global.insert(siteDomains).values({ id, host, siteId }).onConflictDoNothing().returning()
  if (added.length === 0) throw new AppError('invalid', { faults: [{ code: 'taken', pointer: '/host' }] })
  await recordPlatformAudit(ctx, 'sites.address-add', siteId, { host })
  ctx.runtime.sites.refresh()
  return id
}

/** Makes a domain the one that links use. The others keep working. @throws {AppError} `forbidden`, `invalid` for anything but `true` */
export async function makeDomainPrimary(ctx: Ctx, { id, siteId, host }: DomainRow, isPrimary: boolean | undefined): Promise<void> {
  requirePermission(ctx, 'sites.manage')
  if (isPrimary === undefined) return
  if (!isPrimary) throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/isPrimary' }] })
  await ctx.runtime.database.site(siteId).tx(async (tx) => {
    await tx
      .update(siteDomains)
      .set({ isPrimary: false })
      .where(and(eq(siteDomains.siteId, siteId), ne(siteDomains.id, id)))
    await tx.update(siteDomains).set({ isPrimary: true }).where(eq(siteDomains.id, id))
  })
  await recordPlatformAudit(ctx, 'sites.address-main', siteId, { host })
  ctx.runtime.sites.refresh()
}

/**
 * Removes a domain: the site no longer answers there.
 * @throws {AppError} `forbidden`; `conflict` for the main domain, which has to be replaced first
 */
export async function removeDomain(ctx: Ctx, { id, siteId, host }: DomainRow): Promise<void> {
  requirePermission(ctx, 'sites.manage')
  const gone = await ctx.runtime.database.global
    .delete(siteDomains)
    .where(and(eq(siteDomains.id, id), eq(siteDomains.isPrimary, false)))
    .returning()
  if (gone.length === 0) throw new AppError('conflict')
  await recordPlatformAudit(ctx, 'sites.address-remove', siteId, { host })
  ctx.runtime.sites.refresh()
}
