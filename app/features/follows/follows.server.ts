import { and, eq } from 'drizzle-orm'
import { assertVisible } from '#app/features/projects/projects.policy.server.ts'
import { findBySlug } from '#app/features/projects/projects.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { projectFollows } from '#app/server/db/schema.ts'

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
