import { and, eq } from 'drizzle-orm'
import { assertVisible } from '#app/features/projects/projects.policy.server.ts'
import { findBySlug } from '#app/features/projects/projects.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { inLanguage } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { projectFollows, projects } from '#app/server/db/schema.ts'
import { type Follow, readUnfollowToken } from './unfollow-token.server.ts'

/**
 * Follows a project or stops, for whoever is signed in with an account of the site. Doing either twice is no fault.
 * @throws {AppError} `unauthenticated`, `forbidden` for a guest from the platform, `not-found`
 */
export function setFollowing(ctx: Ctx, input: { slug: string; following: boolean }): Promise<void> {
  return ctx.db.tx(async (tx) => {
    const { viewer, site } = ctx
    const project = await findBySlug(ctx, tx, input.slug)
    await assertVisible(ctx, tx, project)
    if (viewer.kind !== 'user') throw new AppError('unauthenticated')
    if (viewer.siteId !== site.id) throw new AppError('forbidden')
    if (input.following) {
      await tx
        .insert(projectFollows)
        .values({ siteId: site.id, projectId: project.id, userId: viewer.id, createdAt: ctx.now() })
        .onConflictDoNothing()
      return
    }
    await tx
      .delete(projectFollows)
      .where(and(eq(projectFollows.siteId, site.id), eq(projectFollows.projectId, project.id), eq(projectFollows.userId, viewer.id)))
  })
}

/** What the link of a follower's mail would end, and whether it still is. Works without signing in. @throws {AppError} `link-expired` */
export function followOf(ctx: Ctx, token: string): Promise<{ project: string; following: boolean }> {
  const follow = linkedFollow(ctx, token)
  return ctx.db.tx(async (tx) => {
    const [project] = await tx
      .select({ title: projects.title })
      .from(projects)
      .where(and(eq(projects.siteId, ctx.site.id), eq(projects.id, follow.projectId)))
    const following = await tx.select({ userId: projectFollows.userId }).from(projectFollows).where(isFollow(ctx, follow))
    return { project: inLanguage(project?.title, ctx.language, ctx.site.locale), following: following.length > 0 }
  })
}

/** Ends the follow that the link of a mail names. Doing it twice is no fault. @throws {AppError} `link-expired` */
export async function unfollowByLink(ctx: Ctx, token: string): Promise<void> {
  const follow = linkedFollow(ctx, token)
  await ctx.db.tx((tx) => tx.delete(projectFollows).where(isFollow(ctx, follow)))
}

function linkedFollow(ctx: Ctx, token: string): Follow {
  const follow = readUnfollowToken(ctx.runtime.secret, ctx.site.id, token)
  if (!follow) throw new AppError('link-expired')
  return follow
}

const isFollow = (ctx: Ctx, { projectId, userId }: Follow) =>
  and(eq(projectFollows.siteId, ctx.site.id), eq(projectFollows.projectId, projectId), eq(projectFollows.userId, userId))
