import { and, eq, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { countFollowers } from '#app/features/follows/follows.mails.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { loadKnownProjects } from '#app/features/projects/projects.admin-list.server.ts'
import { toPermissionTarget, type ProjectRow } from '#app/features/projects/projects.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { buildSearchFields } from '#app/lib/search-fields.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import { chooseFreeSlug, refuseDuplicate } from '#app/server/save-checks.ts'
import { checkTranslations } from '#app/server/translations.ts'
import type { projectUpdateShape } from './updates.api.schema.ts'
import { listUpdateTexts } from './updates.schema.ts'

export type UpdateRow = typeof projectUpdates.$inferSelect

async function requireProject(ctx: Ctx, projectId: string): Promise<ProjectRow> {
  const [project] = await loadKnownProjects(ctx, [projectId])
  if (!project) throw new AppError('not-found')
  return project
}

/**
 * @returns the new update's id
 * @throws {AppError} `not-found`, `forbidden`; `invalid` with `taken`, or with what a published one lacks in a language of the site
 */
export async function createUpdate(ctx: Ctx, input: CreateInput<typeof projectUpdateShape>): Promise<string> {
  const project = await requireProject(ctx, input.project)
  requirePermission(ctx, 'projects.edit', toPermissionTarget(project))
  const id = createId()
  await refuseDuplicate('/slug', () =>
    ctx.db.tx(async (tx) => {
      const slug = await chooseFreeSlug(input.slug, input.titleTranslations, ctx.site.locale, 'update', async (wanted) => {
        const found = await tx
          .select({ id: projectUpdates.id })
          .from(projectUpdates)
          .where(and(eq(projectUpdates.siteId, ctx.site.id), eq(projectUpdates.slug, wanted)))
        return found.length > 0
      })
      await tx.insert(projectUpdates).values({
        siteId: ctx.site.id,
        id,
        projectId: project.id,
        slug,
        title: input.titleTranslations,
        body: input.bodyTranslations,
        publishedAt: input.publishedAt ? new Date(input.publishedAt) : null,
        createdBy: ctx.viewer.kind === 'user' ? ctx.viewer.id : null,
        ...buildSearchFields(input.titleTranslations, input.bodyTranslations),
      })
      await checkTranslations(ctx, tx, {
        subjectId: id,
        before: [],
        after: listUpdateTexts({ title: input.titleTranslations, body: input.bodyTranslations }),
        wasPublic: false,
        isPublic: Boolean(input.publishedAt),
        waived: input.waived,
      })
      await recordAudit(ctx, tx, {
        action: 'project-updates.create',
        subject: { type: 'project-updates', id },
        hubId: project.hubId,
        projectId: project.id,
      })
    }),
  )
  return id
}

/**
 * How many people would be notified of an update of the project, for those who write it.
 * @returns `waits`: true while the project is not published: followers are notified only after that
 * @throws {AppError} `not-found`, `forbidden`
 */
export async function readUpdateAudience(ctx: Ctx, projectId: string): Promise<{ followers: number; waits: boolean }> {
  const project = await requireProject(ctx, projectId)
  requirePermission(ctx, 'projects.edit', toPermissionTarget(project))
  return { followers: await countFollowers(ctx, project), waits: project.status !== 'published' }
}

/** @throws {AppError} `not-found`, `forbidden`, `stale`; `invalid` with what publishing lacks in a language of the site */
export async function updateUpdate(
  ctx: Ctx,
  row: UpdateRow,
  input: UpdateInput<typeof projectUpdateShape>,
  lockVersion: number,
): Promise<void> {
  const project = await requireProject(ctx, row.projectId)
  requirePermission(ctx, 'projects.edit', toPermissionTarget(project))
  await ctx.db.tx(async (tx) => {
    const title = input.titleTranslations ?? row.title
    const body = input.bodyTranslations ?? row.body
    const saved: Partial<UpdateRow> = {
      title,
      body,
      ...(input.publishedAt !== undefined && { publishedAt: input.publishedAt === null ? null : new Date(input.publishedAt) }),
    }
    const changed = await tx
      .update(projectUpdates)
      .set({
        ...saved,
        ...buildSearchFields(title, body),
        lockVersion: sql`${projectUpdates.lockVersion} + 1`,
      })
      .where(and(eq(projectUpdates.siteId, ctx.site.id), eq(projectUpdates.id, row.id), eq(projectUpdates.lockVersion, lockVersion)))
      .returning({ id: projectUpdates.id })
    if (!changed.length) throw new AppError('stale')
    await checkTranslations(ctx, tx, {
      subjectId: row.id,
      before: listUpdateTexts(row),
      after: listUpdateTexts({ title, body }),
      wasPublic: row.publishedAt !== null,
      isPublic: { ...row, ...saved }.publishedAt !== null,
      waived: input.waived,
    })
    await recordAudit(ctx, tx, {
      action: 'project-updates.update',
      subject: { type: 'project-updates', id: row.id },
      hubId: project.hubId,
      projectId: project.id,
      changes: listChanges(row, saved),
    })
  })
}

/** @throws {AppError} `not-found`, `forbidden` */
export async function deleteUpdate(ctx: Ctx, row: UpdateRow): Promise<void> {
  const project = await requireProject(ctx, row.projectId)
  requirePermission(ctx, 'projects.edit', toPermissionTarget(project))
  await ctx.db.tx(async (tx) => {
    await tx.delete(projectUpdates).where(and(eq(projectUpdates.siteId, ctx.site.id), eq(projectUpdates.id, row.id)))
    await recordAudit(ctx, tx, {
      action: 'project-updates.delete',
      subject: { type: 'project-updates', id: row.id },
      hubId: project.hubId,
      projectId: project.id,
      detail: { title: row.title },
    })
  })
}
