import { and, eq, isNull } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { areas } from '#app/server/db/schema/areas.ts'
import { type AreaMap, simplifyAreas } from './area-map.schema.ts'
import { selectAreaName } from './area-names.server.ts'
import { MAX_AREAS } from './areas.schema.ts'
import type { Rings } from './polygons.schema.ts'
import { loadMapFile } from './streets/site-streets.server.ts'

/** The site's areas for drawing, public like their names. Empty if the site has none. */
export const getAreaMap = (ctx: Ctx): Promise<AreaMap> =>
  ctx.db.read(async (tx) => {
    const areas = simplifyAreas(await loadAreaShapes(ctx, tx))
    const file = await loadMapFile(ctx, tx)
    return { areas, ...(file && { streets: file.box }) }
  })

/** The site's areas with their boundaries, sorted by name. */
export async function loadAreaShapes(ctx: Ctx, tx: Tx): Promise<{ name: string; rings: Rings }[]> {
  const rows = await tx
    .select({ name: selectAreaName(ctx), rings: areas.rings })
    .from(areas)
    .where(and(eq(areas.siteId, ctx.site.id), isNull(areas.goneAt)))
    .orderBy(selectAreaName(ctx))
    .limit(MAX_AREAS)
  return rows.map(({ name, rings }) => ({ name, rings: rings as Rings }))
}
