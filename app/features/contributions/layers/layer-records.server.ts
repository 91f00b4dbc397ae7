import { and, asc, count, eq, getTableColumns, inArray, ne, type SQL } from 'drizzle-orm'
import { knownWithinProjects, type ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, mapLayers } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { mapLayerShape } from './map-layers.api.schema.ts'

/** Without what is drawn and the table, which are large. */
const { shapes: _, rows: __, ...SMALL_COLUMNS } = getTableColumns(mapLayers)

export type LayerRow = Omit<typeof mapLayers.$inferSelect, 'shapes' | 'rows'>
export type PlacedLayer = LayerRow & { project: ProjectRow }

/** Layers of activities that the viewer may see; hidden ones only for those who see drafts. */
function isKnown(ctx: Ctx): SQL | undefined {
  const isShown = and(ne(activities.status, 'draft'), mapLayers.visible)
  return and(eq(mapLayers.siteId, ctx.site.id), knownWithinProjects(ctx, isShown))
}

const isOfActivity = and(eq(activities.siteId, mapLayers.siteId), eq(activities.id, mapLayers.activityId))
const isOfProject = and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId))

const selectLayers = (tx: Tx) =>
  tx
    .select({ layer: SMALL_COLUMNS, project: projects })
    .from(mapLayers)
    .innerJoin(activities, isOfActivity)
    .innerJoin(projects, isOfProject)

const toPlacedLayer = ({ layer, project }: Awaited<ReturnType<typeof selectLayers>>[number]): PlacedLayer => ({ ...layer, project })

export const loadLayersById = (ctx: Ctx, ids: readonly string[]): Promise<PlacedLayer[]> =>
  ctx.db.read(async (tx) => (await selectLayers(tx).where(and(isKnown(ctx), inArray(mapLayers.id, [...ids])))).map(toPlacedLayer))

export function listLayers(ctx: Ctx, { filter, page }: ListQuery<typeof mapLayerShape>): Promise<ListResult<PlacedLayer>> {
  return ctx.db.read(async (tx) => {
    const where = and(isKnown(ctx), filter.activity ? eq(mapLayers.activityId, filter.activity) : undefined)
    const [counted] = await tx
      .select({ total: count() })
      .from(mapLayers)
      .innerJoin(activities, isOfActivity)
      .innerJoin(projects, isOfProject)
      .where(where)
    const rows = await selectLayers(tx)
      .where(where)
      .orderBy(asc(mapLayers.activityId), asc(mapLayers.position), asc(mapLayers.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows: rows.map(toPlacedLayer), total: counted?.total ?? 0 }
  })
}
