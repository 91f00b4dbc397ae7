import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { cityConnectors, cityDatasets } from '#app/server/db/schema.ts'
import { runOnEachSite } from '#app/server/jobs/each-site.ts'
import type { Runtime } from '#app/server/runtime.ts'

/** Datasets of the site whose turn it is, of which nobody makes a copy, and whose portal is not left in peace. */
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

/** On how many sites something waits for its turn. */
export const countSitesDue = (runtime: Runtime): Promise<number> =>
  runOnEachSite(runtime, (ctx) => ctx.db.tx(async (tx) => (await selectDueDatasets(ctx, tx).limit(1)).length))
