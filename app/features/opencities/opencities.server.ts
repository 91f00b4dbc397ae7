import { count, eq } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import { cityConnectors } from '#app/server/db/schema/opencities.ts'

export interface OpencitiesMeta {
  /** Number of the site's city connectors. */
  total: number
}

export function readOpencitiesMeta(ctx: Ctx): Promise<OpencitiesMeta> {
  return ctx.db.tx(async (tx) => {
    const [row] = await tx.select({ total: count() }).from(cityConnectors).where(eq(cityConnectors.siteId, ctx.site.id))
    return { total: row?.total ?? 0 }
  })
}
