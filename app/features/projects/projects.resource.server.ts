import { and, desc, eq, inArray } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import { loadKnownProjects, listKnownProjects, type ProjectRecord } from './projects.admin-list.server.ts'
import { archivalShape, projectShape, publicationShape } from './projects.api.schema.ts'
import { createProject, deleteProject, updateProject } from './projects.editing.server.ts'
import { toPermissionTarget } from './projects.policy.server.ts'
import type { DescribeNewActivity } from './templates/describe-from-template.server.ts'
import { archiveProject, publishProject, unarchiveProject, withdrawPublication } from './projects.publishing.server.ts'

type ProjectAttributes = Required<UpdateInput<typeof projectShape>>

/** @param describeNewActivity for projects that start from a template */
export const createProjectResource = (describeNewActivity: DescribeNewActivity) =>
  implementResource(projectShape, {
    load: loadKnownProjects,
    list: listKnownProjects,
    can: ({ viewer }, row) => {
      const place = toPermissionTarget(row)
      const publish = checkPermission(viewer, 'projects.publish', place)
      return {
        update: checkPermission(viewer, 'projects.edit', place).ok,
        copy: checkPermission(viewer, 'projects.edit', place).ok && checkPermission(viewer, 'projects.create', { hubId: row.hubId }).ok,
        publish: publish.ok && !publish.only,
        requestReview: publish.ok,
        remove: checkPermission(viewer, 'projects.delete', place).ok,
        seeResponses: checkPermission(viewer, 'responses.see', place).ok,
        exportPersonalData: checkPermission(viewer, 'responses.export-personal', place).ok,
        manageMembers: checkPermission(viewer, 'participants.manage', place).ok,
      }
    },
    lockVersion: (row) => row.lockVersion,
    attributes: (row) => ({
      slug: row.slug,
      title: row.title,
      summary: row.summary,
      body: row.body,
      outcome: row.outcome,
      status: row.status,
      phase: row.phase,
      visibility: row.visibility,
      opensAt: row.opensAt,
      closesAt: row.closesAt,
      publishAt: row.publishAt,
      publishedAt: row.publishedAt,
      archivedAt: row.archivedAt,
      updatedAt: row.updatedAt,
      picture: row.picture,
      pictureAlt: row.pictureAlt,
      place: row.place as ProjectAttributes['place'],
      team: row.team as ProjectAttributes['team'],
      faqs: row.faqs as ProjectAttributes['faqs'],
      dates: row.dates.map(({ id, title, detail, happensAt, precision }) => ({
        id,
        title,
        detail,
        happensAt: happensAt.toISOString(),
        precision,
      })),
      featured: row.featured,
      participants: row.participants,
      ...(row.changes !== undefined && { changes: row.changes }),
    }),
    relationships: {
      hub: { id: (row) => row.hubId, alwaysVisible: true },
      topic: { id: (row) => row.topicId, alwaysVisible: true },
      updates: { ids: (ctx, rows) => loadUpdateIds(ctx, rows), filter: (row) => ({ project: row.id }) },
      publications: { ids: (_ctx, rows) => Promise.resolve(new Map(rows.map((row) => [row.id, row.status === 'draft' ? [] : [row.id]]))) },
      archivals: { ids: (_ctx, rows) => Promise.resolve(new Map(rows.map((row) => [row.id, row.archivedAt ? [row.id] : []]))) },
    },
    create: (ctx, input) => createProject(ctx, input, describeNewActivity),
    update: (ctx, row, input, lock) => updateProject(ctx, row.id, input, lock.isUnchecked ? undefined : lock.version),
    remove: (ctx, row) => deleteProject(ctx, row),
  })

async function loadUpdateIds(ctx: Ctx, rows: readonly { id: string }[]): Promise<Map<string, string[]>> {
  const ids = rows.map((row) => row.id)
  const found = await ctx.db.read((tx) =>
    tx
      .select({ id: projectUpdates.id, projectId: projectUpdates.projectId })
      .from(projectUpdates)
      .where(and(eq(projectUpdates.siteId, ctx.site.id), inArray(projectUpdates.projectId, ids)))
      .orderBy(desc(projectUpdates.publishedAt), desc(projectUpdates.id)),
  )
  return new Map(ids.map((id) => [id, found.filter((update) => update.projectId === id).map((update) => update.id)]))
}

/** Projects whose drafts the viewer may see. */
async function loadAdministered(ctx: Ctx, ids: readonly string[]): Promise<ProjectRecord[]> {
  return (await loadKnownProjects(ctx, ids)).filter((row) => checkPermission(ctx.viewer, 'projects.see-draft', toPermissionTarget(row)).ok)
}

async function requireAdministered(ctx: Ctx, id: string): Promise<ProjectRecord> {
  const [row] = await loadAdministered(ctx, [id])
  if (!row) throw new AppError(ctx.viewer.kind === 'visitor' ? 'unauthenticated' : 'forbidden')
  return row
}

export const publicationResource = implementResource(publicationShape, {
  load: async (ctx, ids) => (await loadAdministered(ctx, ids)).filter((row) => row.status !== 'draft'),
  attributes: (row: ProjectRecord) => ({ publishAt: row.publishAt, status: row.status }),
  relationships: { project: { id: (row: ProjectRecord) => row.id } },
  create: async (ctx, input) => {
    const row = await requireAdministered(ctx, input.project)
    await publishProject(ctx, row, input)
    return row.id
  },
  remove: (ctx, row) => withdrawPublication(ctx, row),
})

export const archivalResource = implementResource(archivalShape, {
  load: async (ctx, ids) => (await loadAdministered(ctx, ids)).filter((row) => row.status === 'archived'),
  attributes: (row: ProjectRecord) => ({ archivedAt: row.archivedAt }),
  relationships: { project: { id: (row: ProjectRecord) => row.id } },
  create: async (ctx, input) => {
    const row = await requireAdministered(ctx, input.project)
    await archiveProject(ctx, row)
    return row.id
  },
  remove: (ctx, row) => unarchiveProject(ctx, row),
})
