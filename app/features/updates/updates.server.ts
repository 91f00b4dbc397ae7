import { DESCRIPTION_LETTERS, toExcerpt } from '#app/lib/rich-text.ts'
import { and, desc, eq, isNotNull, lte } from 'drizzle-orm'
import { requireVisibleProject, listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { requireProjectBySlug } from '#app/features/projects/projects.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { type ContentScopes, readWithin } from '#app/server/memory/content-reads.ts'
import { readPublic } from '#app/server/public-reads.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { projectUpdates } from '#app/server/db/schema/updates.ts'
import type { UpdateView } from './updates.schema.ts'

const isPublished = (ctx: Ctx) =>
  and(eq(projectUpdates.siteId, ctx.site.id), isNotNull(projectUpdates.publishedAt), lte(projectUpdates.publishedAt, ctx.now()))

/** An update of a project the viewer may see. @throws {AppError} `not-found` or `gone` */
export const getUpdate = (ctx: Ctx, input: { project: string; update: string }): Promise<UpdateView> =>
  readPublic(ctx, ['update', input.project, input.update], (reader) => loadUpdate(reader, input))

function loadUpdate(ctx: Ctx, input: { project: string; update: string }): Promise<UpdateView> {
  const scopes: ContentScopes = {}
  const load = async (tx: Tx): Promise<UpdateView> => {
    const project = await requireProjectBySlug(ctx, tx, input.project)
    scopes.project = project.id
    await requireVisibleProject(ctx, tx, project)
    const all = await tx
      .select({ id: projectUpdates.id, slug: projectUpdates.slug, title: projectUpdates.title })
      .from(projectUpdates)
      .where(and(isPublished(ctx), eq(projectUpdates.projectId, project.id)))
      .orderBy(desc(projectUpdates.publishedAt), desc(projectUpdates.id))
    const at = all.findIndex((update) => update.slug === input.update)
    const found = all[at]
    if (!found) throw new AppError('not-found')
    const [row] = await tx
      .select()
      .from(projectUpdates)
      .where(and(eq(projectUpdates.siteId, ctx.site.id), eq(projectUpdates.id, found.id)))
    if (!row?.publishedAt) throw new AppError('not-found')
    const localise = (translated: typeof row.title) => localiseText(translated, ctx.contentLanguage, ctx.site.locale)
    const toNamedUpdate = (other: typeof found | undefined) => (other ? { slug: other.slug, title: localise(other.title) } : null)
    const body = localise(row.body)
    return {
      slug: row.slug,
      title: localise(row.title),
      body,
      description: toExcerpt(body.text, DESCRIPTION_LETTERS),
      publishedAt: row.publishedAt.toISOString(),
      project: { slug: project.slug, title: localise(project.title) },
      older: toNamedUpdate(all[at + 1]),
      newer: toNamedUpdate(all[at - 1]),
    }
  }
  return readWithin(
    () => scopes,
    () => ctx.db.read(load),
  )
}

/** The newest updates of all projects listed for the viewer, or of one hub's: for the feed and homepages. */
export function loadLatestUpdates(ctx: Ctx, limit: number, hubId?: string | null) {
  return ctx.db.read((tx) =>
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
      .where(and(isPublished(ctx), listedWhere(ctx), hubId ? eq(projects.hubId, hubId) : undefined))
      .orderBy(desc(projectUpdates.publishedAt), desc(projectUpdates.id))
      .limit(limit),
  )
}
