import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { auditEvents } from '#app/server/db/schema/audit.ts'
import { siteDomains, sites } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { GRANT_DAYS } from './support.server.ts'

interface OpenSupportGrant {
  id: string
  siteName: string
  /** Its administration. */
  address: string
  reason: string
  grantedBy: string
  expiresAt: Date
}

/**
 * The sites that the platform's support may enter now, from the platform's own audit trail: a site's grants are rows of that site.
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
export async function listOpenSupportGrants(
  ctx: Ctx,
  page: { offset: number; limit: number },
): Promise<{ rows: OpenSupportGrant[]; total: number }> {
  requirePermission(ctx, 'sites.manage')
  const latest = await ctx.runtime.database.site(PLATFORM_SITE_ID).read((tx) =>
    tx
      .selectDistinctOn([auditEvents.subjectId], {
        id: auditEvents.id,
        action: auditEvents.action,
        siteId: auditEvents.subjectId,
        actorId: auditEvents.actorId,
        detail: auditEvents.detail,
      })
      .from(auditEvents)
      .where(
        and(
          eq(auditEvents.siteId, PLATFORM_SITE_ID),
          inArray(auditEvents.action, ['support.grant', 'support.revoke']),
          gt(auditEvents.at, new Date(ctx.now().getTime() - GRANT_DAYS * 86_400_000)),
        ),
      )
      .orderBy(auditEvents.subjectId, desc(auditEvents.sequence)),
  )
  const found = await Promise.all(
    latest.flatMap(({ id, action, siteId, actorId, detail }) => {
      const { reason, expiresAt } = detail as { reason?: string; expiresAt?: string }
      if (action !== 'support.grant' || !siteId || !expiresAt || new Date(expiresAt) <= ctx.now()) return []
      return [
        describeGrant(ctx, siteId, actorId).then(
          (place) => place && { id, reason: reason ?? '', expiresAt: new Date(expiresAt), ...place },
        ),
      ]
    }),
  )
  const rows = found.flatMap((grant) => grant ?? []).toSorted((a, b) => a.siteName.localeCompare(b.siteName, ctx.language))
  return { rows: rows.slice(page.offset, page.offset + page.limit), total: rows.length }
}

async function describeGrant(ctx: Ctx, siteId: string, actorId: string | null) {
  const { database } = ctx.runtime
  const [site] = await database.global
    .select({ siteName: sites.name, host: siteDomains.host })
    .from(sites)
    .innerJoin(siteDomains, and(eq(siteDomains.siteId, sites.id), siteDomains.isPrimary))
    .where(eq(sites.id, siteId))
  if (!site) return undefined
  const [granter] = await database.site(siteId).read((tx) =>
    tx
      .select({ login: users.login })
      .from(users)
      .where(and(eq(users.siteId, siteId), sql`${users.id}::text = ${actorId}`)),
  )
  const { siteName, host } = site
  const there = { runtime: ctx.runtime, site: { ...ctx.site, host, primaryHost: host } }
  return { siteName, address: buildSiteUrl(there, '/admin'), grantedBy: granter?.login ?? '' }
}
