import { and, eq, isNull } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import { areas } from '#app/server/db/schema.ts'
import { type AreaMap, drawable } from './area-map.schema.ts'
import { MOST_AREAS } from './areas.schema.ts'
import type { Rings } from './shapes.schema.ts'

/** The site's areas to be drawn: for everybody, as their names are. None where the site has no areas. */
export async function getAreaMap(ctx: Ctx): Promise<AreaMap> {
  const rows = await ctx.db.tx((tx) =>
    tx
      .select({ name: areas.name, rings: areas.rings })
      .from(areas)
      .where(and(eq(areas.siteId, ctx.site.id), isNull(areas.goneAt)))
      .orderBy(areas.name)
      .limit(MOST_AREAS),
  )
  return { areas: drawable(rows.map(({ name, rings }) => ({ name, rings: rings as Rings }))) }
}
