import { and, desc, eq, isNotNull, lte } from 'drizzle-orm'
import { assertVisible, listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { findBySlug } from '#app/features/projects/projects.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { projects, projectUpdates } from '#app/server/db/schema.ts'
import type { UpdateView } from './updates.schema.ts'

const publishedWhere = (ctx: Ctx) =>
  and(eq(projectUpdates.siteId, ctx.site.id), isNotNull(projectUpdates.publishedAt), lte(projectUpdates.publishedAt, ctx.now()))

/** An update of a project the viewer may see. @throws {AppError} `not-found` or `gone` */
export function getUpdate(ctx: Ctx, input: { project: string; update: string }): Promise<UpdateView> {
  return ctx.db.tx(async (tx) => {
    const project = await findBySlug(ctx, tx, input.project)
    await assertVisible(ctx, tx, project)
    const all = await tx
      .select({ id: projectUpdates.id, slug: projectUpdates.slug, title: projectUpdates.title })
      .from(projectUpdates)
      .where(and(publishedWhere(ctx), eq(projectUpdates.projectId, project.id)))
      .orderBy(desc(projectUpdates.publishedAt), desc(projectUpdates.id))
    const at = all.findIndex((update) => update.slug === input.update)
    const found = all[at]
    if (!found) throw new AppError('not-found')
    const [row] = await tx
      .select()
      .from(projectUpdates)
      .where(and(eq(projectUpdates.siteId, ctx.site.id), eq(projectUpdates.id, found.id)))
    if (!row?.publishedAt) throw new AppError('not-found')
    const words = (translated: typeof row.title) => localiseText(translated, ctx.language, ctx.site.locale)
    const named = (other: typeof found | undefined) => (other ? { slug: other.slug, title: words(other.title) } : null)
    return {
      slug: row.slug,
      title: words(row.title),
      body: words(row.body),
      publishedAt: row.publishedAt.toISOString(),
      project: { slug: project.slug, title: words(project.title) },
      older: named(all[at + 1]),
      newer: named(all[at - 1]),
    }
  })
}

/** The newest updates of every project that lists may show the viewer, or of a hub's projects: for the feed and homepages. */
export function latestUpdates(ctx: Ctx, limit: number, hubId?: string | null) {
  return ctx.db.tx((tx) =>
    tx
      .select({
        id: projectUpdates.id,
        slug: projectUpdates.slug,
        title: projectUpdates.title,
        body: projectUpdates.body,
        publishedAt: projectUpdates.publishedAt,
        project: { slug: projects.slug, title: projects.title },
      })
      .from(projectUpdates)
      .innerJoin(projects, and(eq(projects.siteId, projectUpdates.siteId), eq(projects.id, projectUpdates.projectId)))
      .where(and(publishedWhere(ctx), listedWhere(ctx), hubId ? eq(projects.hubId, hubId) : undefined))
      .orderBy(desc(projectUpdates.publishedAt), desc(projectUpdates.id))
      .limit(limit),
  )
}
