import { and, asc, count, desc, eq, exists, inArray, lte, or, type SQL, sql } from 'drizzle-orm'
import { checkPermission, scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { knownWhere, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import { projectUpdateShape } from './updates.api.schema.ts'
import { createUpdate, deleteUpdate, type UpdateRow, updateUpdate } from './updates.editing.server.ts'

type PlacedUpdate = UpdateRow & { place: ReturnType<typeof toPermissionTarget> }

/** Updates of projects the viewer may know of: published ones, and drafts in projects they administer. */
function isVisible(ctx: Ctx, tx: Tx, more?: SQL): SQL | undefined {
  const inScope = scopeWhere(ctx.viewer, 'projects.see-draft', { hub: projects.hubId, project: projects.id }) ?? sql`true`
  return and(
    eq(projectUpdates.siteId, ctx.site.id),
    more,
    exists(
      tx
        .select({ one: sql`1` })
        .from(projects)
        .where(and(knownWhere(ctx), eq(projects.id, projectUpdates.projectId), or(lte(projectUpdates.publishedAt, ctx.now()), inScope))),
    ),
  )
}

async function addPlaces(ctx: Ctx, tx: Tx, rows: UpdateRow[]): Promise<PlacedUpdate[]> {
  const ids = [...new Set(rows.map((row) => row.projectId))]
  const found = ids.length
    ? await tx
        .select()
        .from(projects)
        .where(and(eq(projects.siteId, ctx.site.id), inArray(projects.id, ids)))
    : []
  const places = new Map(found.map((project) => [project.id, toPermissionTarget(project)]))
  return rows.map((row) => ({ ...row, place: places.get(row.projectId) ?? {} }))
}

export const projectUpdateResource = implementResource(projectUpdateShape, {
  load: (ctx, ids) =>
    ctx.db.read(async (tx) =>
      addPlaces(
        ctx,
        tx,
        await tx
          .select()
          .from(projectUpdates)
          .where(isVisible(ctx, tx, inArray(projectUpdates.id, [...ids]))),
      ),
    ),
  list: (ctx, { filter, sort, page }) =>
    ctx.db.read(async (tx) => {
      const where = isVisible(ctx, tx, filter.project ? eq(projectUpdates.projectId, filter.project) : undefined)
      const [counted] = await tx.select({ total: count() }).from(projectUpdates).where(where)
      const order = sort.map(
        ({ descending }) => sql`${projectUpdates.publishedAt} ${sql.raw(descending ? 'desc nulls first' : 'asc nulls last')}`,
      )
      const rows = await tx
        .select()
        .from(projectUpdates)
        .where(where)
        .orderBy(...order, desc(projectUpdates.createdAt), asc(projectUpdates.id))
        .limit(page.limit)
        .offset(page.offset)
      return { rows: await addPlaces(ctx, tx, rows), total: counted?.total ?? 0 }
    }),
  can: ({ viewer }, row) => ({ update: checkPermission(viewer, 'projects.edit', row.place).ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row) => ({ slug: row.slug, title: row.title, body: row.body, publishedAt: row.publishedAt }),
  relationships: { project: { id: (row) => row.projectId } },
  create: createUpdate,
  update: (ctx, row, input, lock) => updateUpdate(ctx, row, input, lock.version),
  remove: (ctx, row) => deleteUpdate(ctx, row),
})
