import { count, eq } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import { readSiteWide } from '#app/server/public-reads.ts'
import { cityConnectors } from '#app/server/db/schema/opencities.ts'

export interface OpencitiesMeta {
  /** Number of the site's city connectors. */
  total: number
}

export const readOpencitiesMeta = (ctx: Ctx): Promise<OpencitiesMeta> => readSiteWide(ctx, ['open-cities'], countConnectors)

function countConnectors(ctx: Ctx): Promise<OpencitiesMeta> {
  return ctx.db.read(async (tx) => {
    const [row] = await tx.select({ total: count() }).from(cityConnectors).where(eq(cityConnectors.siteId, ctx.site.id))
    return { total: row?.total ?? 0 }
  })
}
