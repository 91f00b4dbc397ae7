import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema/opencities.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'

/** The site's datasets that are due, not already being copied, and whose portal is not paused. */
export const selectDueDatasets = (ctx: Ctx, tx: Tx) => {
  const now = ctx.now()
  return tx
    .select({ dataset: cityDatasets, connector: cityConnectors })
    .from(cityDatasets)
    .innerJoin(cityConnectors, and(eq(cityConnectors.siteId, cityDatasets.siteId), eq(cityConnectors.id, cityDatasets.connectorId)))
    .where(
      and(
        eq(cityDatasets.siteId, ctx.site.id),
        lte(cityDatasets.dueAt, now),
        or(isNull(cityDatasets.leaseUntil), lte(cityDatasets.leaseUntil, now)),
        or(isNull(cityConnectors.pausedUntil), lte(cityConnectors.pausedUntil, now)),
      ),
    )
}

/** Number of sites with a dataset due. */
export const countSitesDue = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, (ctx) => ctx.db.read(async (tx) => (await selectDueDatasets(ctx, tx).limit(1)).length))
