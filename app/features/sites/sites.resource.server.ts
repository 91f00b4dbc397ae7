import { and, asc, count, desc, eq, inArray, ne, type SQL } from 'drizzle-orm'
import { decide } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource, implementSingleton } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { sites } from '#app/server/db/schema.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { readCurrentSite } from '#app/shell/page-state.server.ts'
import { createSite } from './sites.managing.server.ts'
import { currentSiteShape, siteShape } from './sites.api.schema.ts'

export const currentSiteResource = implementSingleton(currentSiteShape, {
  read: readCurrentSite,
  attributes: (site) => ({ site }),
})

/** A site is met by those who are on it; only the platform's administrators see the others. */
const visibleWhere = ({ site, viewer }: Ctx): SQL | undefined =>
  decide(viewer, 'sites.manage').ok ? ne(sites.id, PLATFORM_SITE_ID) : eq(sites.id, site.id)

export const siteResource = implementResource(siteShape, {
  load: (ctx, ids) =>
    ctx.runtime.database.global
      .select()
      .from(sites)
      .where(and(visibleWhere(ctx), inArray(sites.id, [...ids]))),
  list: async (ctx, { sort, page }) => {
    const { global } = ctx.runtime.database
    const where = visibleWhere(ctx)
    const [counted] = await global.select({ total: count() }).from(sites).where(where)
    const rows = await global
      .select()
      .from(sites)
      .where(where)
      .orderBy(...sort.map(({ by, descending }) => (descending ? desc : asc)(sites[by])), asc(sites.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows, total: counted?.total ?? 0 }
  },
  can: ({ viewer, site }, row) => ({
    update: row.id === site.id && decide(viewer, 'site.edit').ok,
    manage: decide(viewer, 'sites.manage').ok,
  }),
  attributes: (row) => ({
    slug: row.slug,
    name: row.name,
    status: row.status,
    region: row.region,
    locale: row.locale,
    languages: row.languages,
    timeZone: row.timeZone,
    tagline: row.tagline,
    contactEmail: row.contactEmail,
    createdAt: row.createdAt,
  }),
  create: createSite,
})
