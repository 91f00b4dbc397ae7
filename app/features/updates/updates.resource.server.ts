import { and, asc, count, desc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { knownWithinProjects, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import { projectUpdateShape } from './updates.api.schema.ts'
import { createUpdate, deleteUpdate, type UpdateRow, updateUpdate } from './updates.editing.server.ts'

type PlacedUpdate = UpdateRow & { place: ReturnType<typeof toPermissionTarget> }

/** Updates of projects the viewer may know of: published ones, and drafts in projects they administer. */
function whereVisible(ctx: Ctx, more?: SQL): SQL | undefined {
  return and(eq(projectUpdates.siteId, ctx.site.id), more, knownWithinProjects(ctx, lte(projectUpdates.publishedAt, ctx.now())))
}

const ofProject = and(eq(projects.siteId, projectUpdates.siteId), eq(projects.id, projectUpdates.projectId))

const selectPlaced = (tx: Tx) =>
  tx
    .select({ update: projectUpdates, project: { id: projects.id, hubId: projects.hubId, publishedAt: projects.publishedAt } })
    .from(projectUpdates)
    .innerJoin(projects, ofProject)

const toPlacedUpdate = ({ update, project }: Awaited<ReturnType<typeof selectPlaced>>[number]): PlacedUpdate => ({
  ...update,
  place: toPermissionTarget(project),
})

export const projectUpdateResource = implementResource(projectUpdateShape, {
  load: (ctx, ids) =>
    ctx.db.readTogether(async (tx) =>
      (await selectPlaced(tx).where(whereVisible(ctx, inArray(projectUpdates.id, [...ids])))).map(toPlacedUpdate),
    ),
  list: (ctx, { filter, sort, page }) =>
    ctx.db.read(async (tx) => {
      const where = whereVisible(ctx, filter.project ? eq(projectUpdates.projectId, filter.project) : undefined)
      const [counted] = await tx.select({ total: count() }).from(projectUpdates).innerJoin(projects, ofProject).where(where)
      const order = sort.map(
        ({ descending }) => sql`${projectUpdates.publishedAt} ${sql.raw(descending ? 'desc nulls first' : 'asc nulls last')}`,
      )
      const rows = await selectPlaced(tx)
        .where(where)
        .orderBy(...order, desc(projectUpdates.createdAt), asc(projectUpdates.id))
        .limit(page.limit)
        .offset(page.offset)
      return { rows: rows.map(toPlacedUpdate), total: counted?.total ?? 0 }
    }),
  can: ({ viewer }, row) => ({ update: checkPermission(viewer, 'projects.edit', row.place).ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row) => ({ slug: row.slug, title: row.title, body: row.body, publishedAt: row.publishedAt }),
  relationships: { project: { id: (row) => row.projectId, alwaysVisible: 'in-scope' } },
  create: createUpdate,
  update: (ctx, row, input, lock) => updateUpdate(ctx, row, input, lock.version),
  remove: (ctx, row) => deleteUpdate(ctx, row),
})
