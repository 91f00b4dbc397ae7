import { and, desc, eq, inArray } from 'drizzle-orm'
import { decide } from '#app/features/permissions/permissions.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { projectUpdates } from '#app/server/db/schema.ts'
import { knownProjects, listKnownProjects, type ProjectRecord } from './projects.admin-list.server.ts'
import { archivalShape, projectShape, publicationShape } from './projects.api.schema.ts'
import { createProject, deleteProject, updateProject } from './projects.editing.server.ts'
import { placeOf } from './projects.policy.server.ts'
import { archiveProject, publishProject, unarchiveProject, withdrawPublication } from './projects.publishing.server.ts'
import type { ProjectStatus, Visibility } from './projects.schema.ts'

type Wire = Required<UpdateInput<typeof projectShape>>

export const projectResource = implementResource(projectShape, {
  load: knownProjects,
  list: listKnownProjects,
  can: ({ viewer }, row) => {
    const place = placeOf(row)
    const publish = decide(viewer, 'projects.publish', place)
    return {
      update: decide(viewer, 'projects.edit', place).ok,
      copy: decide(viewer, 'projects.edit', place).ok && decide(viewer, 'projects.create', { hubId: row.hubId }).ok,
      publish: publish.ok && !publish.only,
      requestReview: publish.ok,
      remove: decide(viewer, 'projects.delete', place).ok,
      seeResponses: decide(viewer, 'responses.see', place).ok,
      exportPersonalData: decide(viewer, 'responses.export-personal', place).ok,
      manageMembers: decide(viewer, 'participants.manage', place).ok,
    }
  },
  lockVersion: (row) => row.lockVersion,
  attributes: (row) => ({
    slug: row.slug,
    title: row.title,
    summary: row.summary,
    body: row.body,
    outcome: row.outcome,
    status: row.status as ProjectStatus,
    phase: row.phase,
    visibility: row.visibility as Visibility,
    opensAt: row.opensAt,
    closesAt: row.closesAt,
    publishAt: row.publishAt,
    publishedAt: row.publishedAt,
    archivedAt: row.archivedAt,
    updatedAt: row.updatedAt,
    picture: row.picture,
    pictureAlt: row.pictureAlt,
    place: row.place as Wire['place'],
    team: row.team as Wire['team'],
    faqs: row.faqs as Wire['faqs'],
    dates: row.dates.map(({ id, title, detail, happensAt, precision }) => ({
      id,
      title,
      detail,
      happensAt: happensAt.toISOString(),
      precision: precision as Wire['dates'][number]['precision'],
    })),
    featured: row.featured,
    participants: row.participants,
  }),
  relationships: {
    hub: { id: (row) => row.hubId },
    topic: { id: (row) => row.topicId },
    updates: { ids: (ctx, rows) => updateIds(ctx, rows), filter: (row) => ({ project: row.id }) },
    publications: { ids: (_ctx, rows) => Promise.resolve(new Map(rows.map((row) => [row.id, row.status === 'draft' ? [] : [row.id]]))) },
    archivals: { ids: (_ctx, rows) => Promise.resolve(new Map(rows.map((row) => [row.id, row.archivedAt ? [row.id] : []]))) },
  },
  create: createProject,
  update: (ctx, row, input, lock) => updateProject(ctx, row, input, lock.version),
  remove: (ctx, row) => deleteProject(ctx, row),
})

async function updateIds(ctx: Ctx, rows: readonly { id: string }[]): Promise<Map<string, string[]>> {
  const ids = rows.map((row) => row.id)
  const found = await ctx.db.tx((tx) =>
    tx
      .select({ id: projectUpdates.id, projectId: projectUpdates.projectId })
      .from(projectUpdates)
      .where(and(eq(projectUpdates.siteId, ctx.site.id), inArray(projectUpdates.projectId, ids)))
      .orderBy(desc(projectUpdates.publishedAt), desc(projectUpdates.id)),
  )
  return new Map(ids.map((id) => [id, found.filter((update) => update.projectId === id).map((update) => update.id)]))
}

/** Projects that those may ask for whose scope they are in: the state of a draft is nobody else's business. */
async function administered(ctx: Ctx, ids: readonly string[]): Promise<ProjectRecord[]> {
  return (await knownProjects(ctx, ids)).filter((row) => decide(ctx.viewer, 'projects.see-draft', placeOf(row)).ok)
}

async function administeredOne(ctx: Ctx, id: string): Promise<ProjectRecord> {
  const [row] = await administered(ctx, [id])
  if (!row) throw new AppError(ctx.viewer.kind === 'visitor' ? 'unauthenticated' : 'forbidden')
  return row
}

export const publicationResource = implementResource(publicationShape, {
  load: async (ctx, ids) => (await administered(ctx, ids)).filter((row) => row.status !== 'draft'),
  attributes: (row: ProjectRecord) => ({ publishAt: row.publishAt, status: row.status as ProjectStatus }),
  relationships: { project: { id: (row: ProjectRecord) => row.id } },
  create: async (ctx, input) => {
    const row = await administeredOne(ctx, input.project)
    await publishProject(ctx, row, input)
    return row.id
  },
  remove: (ctx, row) => withdrawPublication(ctx, row),
})

export const archivalResource = implementResource(archivalShape, {
  load: async (ctx, ids) => (await administered(ctx, ids)).filter((row) => row.status === 'archived'),
  attributes: (row: ProjectRecord) => ({ archivedAt: row.archivedAt }),
  relationships: { project: { id: (row: ProjectRecord) => row.id } },
  create: async (ctx, input) => {
    const row = await administeredOne(ctx, input.project)
    await archiveProject(ctx, row)
    return row.id
  },
  remove: (ctx, row) => unarchiveProject(ctx, row),
})
