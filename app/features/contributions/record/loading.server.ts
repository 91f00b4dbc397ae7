import { and, eq, type SQL } from 'drizzle-orm'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Action } from '#app/features/permissions/permissions.schema.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { activities, contributions, projectStages, replies } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { type ActivityAddress, type PlacedActivity, requireActivityAt, requireVisibleActivity } from './activities.policy.server.ts'
import { lockContributions } from './contribution-counts.server.ts'
import { loadMergedInto } from './merge-trees.server.ts'

export type ContributionRow = typeof contributions.$inferSelect
export type ReplyRow = typeof replies.$inferSelect

export interface PlacedContribution extends PlacedActivity {
  contribution: ContributionRow
}

export interface PlacedReply extends PlacedContribution {
  reply: ReplyRow
}

/** A contribution of an activity that the viewer may see, whatever its state. @throws {AppError} `not-found`, `gone` */
export async function requirePlacedContribution(ctx: Ctx, tx: Tx, where: SQL | undefined): Promise<PlacedContribution> {
  const [contribution] = await tx
    .select()
    .from(contributions)
    .where(and(eq(contributions.siteId, ctx.site.id), where))
  if (!contribution) throw new AppError('not-found')
  return { ...(await requireVisibleActivity(ctx, tx, eq(activities.id, contribution.activityId))), contribution }
}

/** The same by the address of its page. @throws {AppError} `not-found`, `gone` */
export async function requireContributionAt(ctx: Ctx, tx: Tx, address: ActivityAddress, number: number): Promise<PlacedContribution> {
  const { activity } = await requireActivityAt(ctx, tx, address)
  return requirePlacedContribution(ctx, tx, and(eq(contributions.activityId, activity.id), eq(contributions.number, number)))
}

/**
 * What people act on: by id, if it is published.
 * @throws {AppError} `not-found`; `merged`, naming where it went; `vanished` if it was declined, removed, withdrawn or erased
 */
export async function requirePublishedContribution(ctx: Ctx, tx: Tx, id: string): Promise<PlacedContribution> {
  if (!isId(id)) throw new AppError('not-found')
  const placed = await requirePlacedContribution(ctx, tx, eq(contributions.id, id))
  const { state } = placed.contribution
  if (state === 'merged') await failMerged(ctx, tx, id)
  if (state !== 'published') throw new AppError(state === 'held' ? 'not-found' : 'vanished')
  return placed
}

/** The same for writing: what is stored about it waits for decisions and merges, or they for it. @throws as `requirePublishedContribution` */
export async function lockPublishedContribution(ctx: Ctx, tx: Tx, id: string): Promise<PlacedContribution> {
  await lockContributions(tx, ctx.site.id, [id])
  return requirePublishedContribution(ctx, tx, id)
}

/** Names the contribution that a merged one now belongs to. @throws {AppError} `merged`, always */
export async function failMerged(ctx: Ctx, tx: Tx, id: string): Promise<never> {
  const target = (await loadMergedInto(tx, ctx.site.id, id)).at(-1)
  if (!target) throw new AppError('conflict')
  throw new AppError('merged', { values: { number: target.number }, meta: { contribution: target.id } })
}

/** For administrators. @throws {AppError} `not-found`, `forbidden` */
export async function requireContributionFor(ctx: Ctx, tx: Tx, action: Action, id: string): Promise<PlacedContribution> {
  if (!isId(id)) throw new AppError('not-found')
  const placed = await requirePlacedContribution(ctx, tx, eq(contributions.id, id))
  requirePermission(ctx, action, toPermissionTarget(placed.project))
  return placed
}

export async function requireReplyFor(ctx: Ctx, tx: Tx, action: Action, id: string): Promise<PlacedReply> {
  if (!isId(id)) throw new AppError('not-found')
  const [reply] = await tx
    .select()
    .from(replies)
    .where(and(eq(replies.siteId, ctx.site.id), eq(replies.id, id)))
  if (!reply) throw new AppError('not-found')
  return { ...(await requireContributionFor(ctx, tx, action, reply.contributionId)), reply }
}

/**
 * Contributions with everything around them, for lists of the administration and the API.
 * @param found rows to take instead of all contributions of the site, as `lookUpRows` gives them
 */
export const selectPlacedContributions = (tx: Tx, found: typeof contributions = contributions) =>
  tx
    .select({ contribution: contributions, activity: activities, stage: projectStages, project: projects, assignee: users.login })
    .from(found)
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .leftJoin(projectStages, and(eq(projectStages.siteId, activities.siteId), eq(projectStages.id, activities.stageId)))
    .leftJoin(users, and(eq(users.siteId, contributions.siteId), eq(users.id, contributions.assigneeId)))
