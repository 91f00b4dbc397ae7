import { and, eq } from 'drizzle-orm'
import { requireProjectBySlug } from '#app/features/projects/projects.server.ts'
import { requireVisibleProject } from '#app/features/projects/projects.policy.server.ts'
import { isAppError } from '#app/lib/app-error.ts'
import { splitLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { projectFollows } from '#app/server/db/schema/updates.ts'
import { setFollowing } from './follows.server.ts'

/**
 * Somebody pressed "Follow" before signing in: `next`, where they go from there, is the page that follows a project. Follows it.
 * @returns the project's page; undefined if there was nothing to follow
 */
export async function followAfterSignIn(ctx: Ctx, next: string): Promise<string | undefined> {
  const wanted = parseFollowPath(next)
  if (!wanted) return undefined
  try {
    await setFollowing(ctx, { slug: wanted.slug, following: true })
  } catch (error) {
    if (!isAppError(error)) throw error
    return undefined
  }
  return `${wanted.prefix}/projects/${encodeURIComponent(wanted.slug)}#follow`
}

/** The same for an account that was created just now: it gets emails once its address is confirmed. */
export async function followAfterRegistration(ctx: Ctx, userId: string, next: string | undefined): Promise<void> {
  const wanted = parseFollowPath(next)
  if (!wanted) return
  try {
    await ctx.db.tx(async (tx) => {
      const project = await requireProjectBySlug(ctx, tx, wanted.slug)
      await requireVisibleProject(ctx, tx, project)
      // Not found if the address already had an account, which has another id.
      const [account] = await tx
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.siteId, ctx.site.id), eq(users.id, userId)))
      if (account)
        await tx
          .insert(projectFollows)
          .values({ siteId: ctx.site.id, projectId: project.id, userId, createdAt: ctx.now() })
          .onConflictDoNothing()
    })
  } catch (error) {
    if (!isAppError(error)) throw error
  }
}

function parseFollowPath(next: string | undefined): { slug: string; prefix: string } | undefined {
  const url = next === undefined ? null : URL.parse(next, 'http://here.invalid')
  if (!url) return undefined
  const { language, path } = splitLanguage(url.pathname)
  const slug = url.searchParams.get('project')
  return path === '/follow' && slug ? { slug, prefix: language ? `/${language}` : '' } : undefined
}
