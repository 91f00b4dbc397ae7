import { and, asc, count, desc, eq, getTableColumns, inArray, like, ne, or, type SQL, sql } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { normaliseText } from '#app/lib/normalise-text.ts'
import { toLikePattern } from '#app/lib/like-pattern.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { siteDeletions, siteDomains, sites } from '#app/server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import type { siteShape } from './sites.api.schema.ts'
import type { SiteState } from './sites.schema.ts'

export type SiteRecord = typeof sites.$inferSelect & { primaryHost: string | null }

const MAX_WORDS = 8

const canManageSites = ({ viewer }: Ctx): boolean => checkPermission(viewer, 'sites.manage').ok

/** People see the site they are on; only platform administrators see the others. */
const isVisible = (ctx: Ctx): SQL | undefined => (canManageSites(ctx) ? ne(sites.id, PLATFORM_SITE_ID) : eq(sites.id, ctx.site.id))

/** The given sites, limited to those the viewer may see. */
export const loadSitesById = (ctx: Ctx, ids: readonly string[]): Promise<SiteRecord[]> => selectSites(ctx, inArray(sites.id, [...ids]))

export async function listSites(ctx: Ctx, { filter, sort, page }: ListQuery<typeof siteShape>): Promise<ListResult<SiteRecord>> {
  const { global } = ctx.runtime.database
  const where = and(
    isVisible(ctx),
    filter.q === undefined ? undefined : isSiteMatching(filter.q),
    filter.state && or(...filter.state.map((state) => STATE_CONDITIONS[state])),
    filter.region === undefined ? undefined : eq(sites.region, filter.region),
  )
  const columns = { name: collateFor(ctx.language, sites.name), region: collateFor(ctx.language, sites.region), createdAt: sites.createdAt }
  const [[counted], rows] = await Promise.all([
    global.select({ total: count() }).from(sites).where(where),
    selectSites(ctx, where)
      .orderBy(...sort.map(({ by, descending }) => (descending ? desc : asc)(columns[by])), asc(sites.id))
      .limit(page.limit)
      .offset(page.offset),
  ])
  return { rows, total: counted?.total ?? 0 }
}

/** Which of the sites have a scheduled deletion, for those who may know. */
export async function loadDeletions(ctx: Ctx, rows: readonly SiteRecord[]): Promise<ReadonlyMap<string, string>> {
  if (!canManageSites(ctx)) return new Map()
  const ids = rows.map(({ id }) => id)
  const found = await ctx.runtime.database.global.select({ id: siteDeletions.id }).from(siteDeletions).where(inArray(siteDeletions.id, ids))
  return new Map(found.map(({ id }) => [id, id]))
}

const primaryHost = sql<string | null>`(select d.host from ${siteDomains} d where d.site_id = ${sites}.id
  order by d.is_primary desc, d.host limit 1)`

const selectSites = (ctx: Ctx, where: SQL | undefined) =>
  ctx.runtime.database.global
    .select({ ...getTableColumns(sites), primaryHost })
    .from(sites)
    .where(and(isVisible(ctx), where))
    .$dynamic()

/** Matches sites that contain every search word in their name, their short name or one of their domains. */
export const isSiteMatching = (typed: string): SQL | undefined =>
  and(
    ...normaliseText(typed)
      .split(' ')
      .filter(Boolean)
      .slice(0, MAX_WORDS)
      .map((word) => like(sites.searchText, toLikePattern(word))),
  )

const isLeaving = sql`${sites.id} in (select ${siteDeletions.id} from ${siteDeletions})`
const STATE_CONDITIONS: Record<SiteState, SQL | undefined> = {
  active: eq(sites.status, 'active'),
  suspended: and(eq(sites.status, 'suspended'), sql`not ${isLeaving}`),
  moving: eq(sites.status, 'moving'),
  moved: eq(sites.status, 'moved'),
  leaving: isLeaving,
}
