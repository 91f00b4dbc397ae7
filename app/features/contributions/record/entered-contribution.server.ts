import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type EnteredSource, ENTERED_SOURCES } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { PlacedActivity } from './activities.policy.server.ts'

/** Whether the viewer may enter what reached the team in another way, on paper for example: those who answer contributions may. */
export const canEnterContributions = ({ viewer }: Ctx, { activity, project }: PlacedActivity): boolean =>
  activity.status === 'published' && checkPermission(viewer, 'contributions.answer', toPermissionTarget(project)).ok

/**
 * The activity may be closed or need an account: paper arrives late, and says who may take part.
 * @throws {AppError} `unauthenticated`, `forbidden`, `not-published`, `activity-closed` if the activity or its project is archived
 */
export function requireEntryAllowed(ctx: Ctx, { activity, project }: PlacedActivity): void {
  requirePermission(ctx, 'contributions.answer', toPermissionTarget(project))
  if (activity.status === 'draft') throw new AppError('not-published')
  if (activity.status === 'archived' || project.status === 'archived') throw new AppError('activity-closed')
}

/** @returns undefined for a contribution that its author sends */
export const readEnteredSource = (sent: unknown): EnteredSource | undefined => ENTERED_SOURCES.find((source) => source === sent)
