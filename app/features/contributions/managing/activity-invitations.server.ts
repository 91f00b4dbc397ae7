import {
  createInvitations,
  type InvitationBatch,
  type InvitationInput,
  type InvitationSubject,
  listBatchesOf,
  loadBatchesOf,
  withdrawInvitations,
} from '#app/features/invitations/invitations.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { recordActivityAudit } from './activity-audit.server.ts'
import { requireActivityFor } from '../record/activities.policy.server.ts'
import { getActivityState, getPostingTimes } from '../record/activities.state.server.ts'
import type { activityInvitationBatchShape } from './activity-invitations.api.schema.ts'

/** An activity as something to invite people to. @throws {AppError} `not-found`, `forbidden` if the viewer cannot edit it */
async function requireSubject(ctx: Ctx, tx: Tx, activityId: string): Promise<InvitationSubject> {
  const placed = await requireActivityFor(ctx, tx, 'activities.edit', activityId)
  const { activity, project } = placed
  const state = getActivityState(ctx.now(), placed)
  return {
    column: 'activityId',
    id: activity.id,
    project,
    title: activity.title,
    path: `/projects/${project.slug}/${activity.slug}`,
    isInvitationOnly: activity.postAccess === 'invited' || activity.reactAccess === 'invited',
    isOpen: state !== 'preview' && state !== 'closed',
    closesAt: getPostingTimes(placed).closesAt,
    anonymous: false,
    recordAudit: (tx, act, detail) => recordActivityAudit(ctx, tx, project, { action: `activities.${act}`, id: activity.id, detail }),
  }
}

/** @throws {AppError} as `inviteToSurvey` */
export const inviteToActivity = (ctx: Ctx, activityId: string, input: InvitationInput): Promise<InvitationBatch> =>
  createInvitations(ctx, (tx) => requireSubject(ctx, tx, activityId), input)

/** @throws {AppError} `invalid-parameter` without an activity; `not-found`; `forbidden` if the viewer cannot edit it */
export async function listActivityBatches(
  ctx: Ctx,
  { filter, page }: ListQuery<typeof activityInvitationBatchShape>,
): Promise<ListResult<InvitationBatch>> {
  const { activity } = filter
  if (!activity) throw new AppError('invalid-parameter', { parameter: 'filter[activity]' })
  return ctx.db.read(async (tx) => listBatchesOf(ctx, tx, await requireSubject(ctx, tx, activity), page))
}

export const loadActivityBatches = (ctx: Ctx, ids: readonly string[]): Promise<InvitationBatch[]> =>
  loadBatchesOf(ctx, 'activityId', ids, (tx, id) => requireActivityFor(ctx, tx, 'activities.edit', id))

/** The codes or links stop working; what was contributed with them stays. @throws {AppError} `not-found`, `forbidden` */
export const withdrawActivityBatch = (ctx: Ctx, id: string): Promise<void> =>
  withdrawInvitations(ctx, id, (tx, { activityId }) => requireSubject(ctx, tx, activityId ?? ''))
