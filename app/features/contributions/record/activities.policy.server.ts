import { and, eq, type SQL, sql } from 'drizzle-orm'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Action } from '#app/features/permissions/permissions.schema.ts'
import {
  projectColumns,
  type ProjectPlace,
  type ProjectRow,
  requireVisibleWithin,
  toPermissionTarget,
} from '#app/features/projects/projects.policy.server.ts'
import { isInvitation } from '#app/features/invitations/invitation-secrets.server.ts'
import { ERROR_BY_REFUSAL, findAccessRefusal, type ReadInvitation } from '#app/features/participation/access.policy.server.ts'
import type { AccessRefusal } from '#app/features/participation/access.schema.ts'
import { findSufficient } from '#app/features/verifications/held-verifications.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { isSlug } from '#app/lib/slug.ts'
import { isId } from '#app/lib/uuid.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities, contributions, projectStages } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { readVerificationRule } from '../kinds/kinds.ts'

export type ActivityRow = typeof activities.$inferSelect
export type StageRow = typeof projectStages.$inferSelect

/** An activity, its stage if it has one, and its project. */
export interface PlacedActivity {
  activity: ActivityRow
  stage: StageRow | null
  project: ProjectRow
}

/** Slugs, as in the page's address. */
export interface ActivityAddress {
  project: string
  activity: string
}

export const selectPlacedActivities = (tx: Tx) =>
  tx
    .select({ activity: activities, stage: projectStages, project: projectColumns })
    .from(activities)
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .leftJoin(projectStages, and(eq(projectStages.siteId, activities.siteId), eq(projectStages.id, activities.stageId)))

/** Whether the viewer may publish: those who may publish its project; before the project is public, those who may edit it. */
export function mayPublishActivity(viewer: Viewer, project: ProjectPlace): boolean {
  const place = toPermissionTarget(project)
  const decision = checkPermission(viewer, 'activities.publish', place)
  if (decision.ok && !decision.only) return true
  return project.publishedAt === null && checkPermission(viewer, 'activities.edit', place).ok
}

/** Narrows contributions by what their activity and its project are. The activities, which are few, are found first and once. */
export const isInActivities = (ctx: Ctx, where: SQL | undefined): SQL =>
  sql`${contributions.activityId} = any (array(select ${activities.id} from ${activities}
    join ${projects} on ${projects.siteId} = ${activities.siteId} and ${projects.id} = ${activities.projectId}
    where ${and(eq(activities.siteId, ctx.site.id), where)}))`

/** Loads an activity if the viewer may see its project and, for a draft, drafts. @throws {AppError} `not-found`, `gone` */
export async function requireVisibleActivity(ctx: Ctx, tx: Tx, where: SQL | undefined): Promise<PlacedActivity> {
  const [found] = await selectPlacedActivities(tx).where(and(eq(activities.siteId, ctx.site.id), where))
  if (!found) throw new AppError('not-found')
  await requireToSeeActivity(ctx, tx, found)
  return found
}

/** @throws {AppError} `not-found` or `gone` if the viewer may not see the activity's project or, for a draft, drafts */
export const requireToSeeActivity = (ctx: Ctx, tx: Tx, { activity, project }: PlacedActivity): Promise<void> =>
  requireVisibleWithin(ctx, tx, project, activity)

export function requireActivityAt(ctx: Ctx, tx: Tx, address: ActivityAddress): Promise<PlacedActivity> {
  if (!isSlug(address.project) || !isSlug(address.activity)) throw new AppError('not-found')
  return requireVisibleActivity(ctx, tx, and(eq(projects.slug, address.project), eq(activities.slug, address.activity)))
}

/** @throws {AppError} `not-found` if the viewer may not even see it, otherwise `forbidden` */
export async function requireActivityFor(ctx: Ctx, tx: Tx, action: Action, activityId: string): Promise<PlacedActivity> {
  if (!isId(activityId)) throw new AppError('not-found')
  const placed = await requireVisibleActivity(ctx, tx, eq(activities.id, activityId))
  requirePermission(ctx, action, toPermissionTarget(placed.project))
  return placed
}

/** Why the viewer may not post or react; null if they may. */
export async function findActivityRefusal(
  ctx: Ctx,
  tx: Tx,
  action: 'contributions.post' | 'contributions.react',
  { activity, project }: PlacedActivity,
  readInvitation?: ReadInvitation,
): Promise<AccessRefusal | null> {
  const access = action === 'contributions.post' ? activity.postAccess : activity.reactAccess
  return findAccessRefusal(ctx, tx, {
    action,
    access,
    groupId: activity.groupId,
    projectId: project.id,
    hasInvitation: () => isInvitation(ctx, tx, activity.id, readInvitation?.(activity.id)),
    hasVerification: async () => (await findSufficient(ctx, tx, readVerificationRule(activity), readInvitation?.(ctx.site.id))).length > 0,
  })
}

/** By what a person who reacts is recognised, for `hashReactor`. */
export const getReactionRule = (activity: Pick<ActivityRow, 'id' | 'reactAccess' | 'kind' | 'settings'>) => ({
  id: activity.id,
  access: activity.reactAccess,
  rule: readVerificationRule(activity),
})

/** @throws {AppError} the refusal of the activity's access rule */
export async function requireActivityAccess(
  ctx: Ctx,
  tx: Tx,
  action: 'contributions.post' | 'contributions.react',
  placed: PlacedActivity,
  readInvitation?: ReadInvitation,
): Promise<void> {
  const refusal = await findActivityRefusal(ctx, tx, action, placed, readInvitation)
  if (refusal) throw new AppError(ERROR_BY_REFUSAL[refusal])
}
