import { and, eq, inArray } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import { addDomain, loadDomainsById, listDomains, makeDomainPrimary, removeDomain } from './domains.server.ts'
import { openSupportGrantShape, siteDomainShape, siteSuspensionShape, supportEntryShape, supportGrantShape } from './managing.api.schema.ts'
import { listOpenSupportGrants } from './open-support-grants.server.ts'
import { resumeSite, suspendSite } from './sites.managing.server.ts'
import { enterSite, type GrantRow, loadGrantsById, grantSupport, listGrants, revokeSupport } from './support.server.ts'

export const siteSuspensionResource = implementResource(siteSuspensionShape, {
  load: async ({ runtime, viewer }, ids): Promise<{ id: string }[]> =>
    checkPermission(viewer, 'sites.manage').ok
      ? runtime.database.global
          .select({ id: sites.id })
          .from(sites)
          .where(and(eq(sites.status, 'suspended'), inArray(sites.id, [...ids])))
      : [],
  attributes: () => ({}),
  relationships: { site: { id: ({ id }: { id: string }) => id } },
  create: async (ctx, { site, reason }) => {
    await suspendSite(ctx, site, reason)
    return { id: site }
  },
  remove: (ctx, { id }) => resumeSite(ctx, id),
})

export const siteDomainResource = implementResource(siteDomainShape, {
  load: loadDomainsById,
  list: (ctx, { filter, sort, page }) => listDomains(ctx, { site: filter.site, descending: sort[0]?.descending ?? false, page }),
  attributes: ({ host, isPrimary }) => ({ host, isPrimary }),
  relationships: { site: { id: ({ siteId }) => siteId } },
  create: (ctx, { host, site }) => addDomain(ctx, { host, siteId: site }),
  update: (ctx, domain, { isPrimary }) => makeDomainPrimary(ctx, domain, isPrimary),
  remove: (ctx, domain) => removeDomain(ctx, domain),
})

export const supportGrantResource = implementResource(supportGrantShape, {
  load: loadGrantsById,
  list: (ctx, { page }) => listGrants(ctx, page),
  can: ({ viewer, now }, grant: GrantRow) => ({
    revoke: checkPermission(viewer, 'support.revoke').ok && grant.revokedAt === null && grant.expiresAt > now(),
  }),
  attributes: ({ reason, createdAt, expiresAt, revokedAt }) => ({ reason, createdAt, expiresAt, revokedAt }),
  create: grantSupport,
  remove: (ctx, grant) => revokeSupport(ctx, grant),
})

export const openSupportGrantResource = implementResource(openSupportGrantShape, {
  list: (ctx, { page }) => listOpenSupportGrants(ctx, page),
  attributes: ({ siteName, address, reason, grantedBy, expiresAt }) => ({ siteName, address, reason, grantedBy, expiresAt }),
})

export const supportEntryResource = implementResource(supportEntryShape, {
  create: enterSite,
  attributes: ({ until }) => ({ until }),
})
