import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { listedWhere } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { READABLE_STATES } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributionFollows, contributions } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { lockContributions } from '../record/contribution-counts.server.ts'
import { requirePlacedContribution } from '../record/loading.server.ts'
import { selectTree } from '../record/merge-trees.server.ts'

interface Follower {
  contributionId: string
  userId: string
}

/**
 * Follows or unfollows a contribution, for people with an account on this site. Idempotent.
 * @throws {AppError} `unauthenticated`, `forbidden` for a platform account; to follow, `not-found`, or `vanished` if it left the site
 */
export async function setContributionFollowing(ctx: Ctx, contributionId: string, following: boolean): Promise<void> {
  const { viewer, site } = ctx
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  if (viewer.siteId !== site.id) throw new AppError('forbidden')
  const own = { contributionId, userId: viewer.id }
  await ctx.db.tx(async (tx) => {
    if (!following) return endContributionFollow(ctx, tx, own)
    await lockContributions(tx, site.id, [contributionId])
    const { contribution } = await requirePlacedContribution(ctx, tx, eq(contributions.id, contributionId))
    if (!READABLE_STATES.includes(contribution.state)) throw new AppError('vanished')
    await tx
      .insert(contributionFollows)
      .values({ siteId: site.id, ...own, createdAt: ctx.now() })
      .onConflictDoNothing()
  })
}

export async function isFollowingContribution(ctx: Ctx, tx: Tx, contributionId: string): Promise<boolean> {
  const { viewer } = ctx
  if (viewer.kind !== 'user' || viewer.siteId !== ctx.site.id) return false
  return followsContribution(ctx, tx, { contributionId, userId: viewer.id })
}

export async function followsContribution(ctx: Ctx, tx: Tx, follower: Follower): Promise<boolean> {
  const rows = await tx.select({ id: contributionFollows.userId }).from(contributionFollows).where(buildFollowCondition(ctx, follower))
  return rows.length > 0
}

export async function endContributionFollow(ctx: Ctx, tx: Tx, follower: Follower): Promise<void> {
  await tx.delete(contributionFollows).where(buildFollowCondition(ctx, follower))
}

const buildFollowCondition = (ctx: Ctx, { contributionId, userId }: Follower) =>
  and(
    eq(contributionFollows.siteId, ctx.site.id),
    eq(contributionFollows.contributionId, contributionId),
    eq(contributionFollows.userId, userId),
  )

/** The contributions that an account follows and can still read, in the order in which it began. */
export const listFollowedContributions = (ctx: Ctx, tx: Tx, userId: string) =>
  tx
    .select({
      id: contributions.id,
      number: contributions.number,
      title: contributions.title,
      language: contributions.language,
      activity: activities.slug,
      project: projects.slug,
    })
    .from(contributionFollows)
    .innerJoin(
      contributions,
      and(eq(contributions.siteId, contributionFollows.siteId), eq(contributions.id, contributionFollows.contributionId)),
    )
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .where(
      and(
        eq(contributionFollows.siteId, ctx.site.id),
        eq(contributionFollows.userId, userId),
        inArray(contributions.state, [...READABLE_STATES]),
        listedWhere(ctx),
      ),
    )
    .orderBy(asc(contributionFollows.createdAt))

/** What an account follows, for its own data. */
export const readOwnContributionFollows = (tx: Tx, siteId: string, userId: string) =>
  tx
    .select({ contributionId: contributionFollows.contributionId, since: contributionFollows.createdAt })
    .from(contributionFollows)
    .where(and(eq(contributionFollows.siteId, siteId), eq(contributionFollows.userId, userId)))
    .orderBy(asc(contributionFollows.createdAt))

/** Accounts that follow a contribution, or one that was merged into it, as a subquery of ids. */
export const selectFollowers = (tx: Tx, siteId: string, contributionId: string) =>
  tx
    .select({ id: contributionFollows.userId })
    .from(contributionFollows)
    .where(and(eq(contributionFollows.siteId, siteId), sql`${contributionFollows.contributionId} in ${selectTree(siteId, contributionId)}`))
