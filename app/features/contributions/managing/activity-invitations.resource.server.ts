import { implementResource } from '#app/server/api/implement.ts'
import { activityInvitationBatchShape } from './activity-invitations.api.schema.ts'
import { inviteToActivity, listActivityBatches, loadActivityBatches, withdrawActivityBatch } from './activity-invitations.server.ts'

export const activityInvitationBatchResource = implementResource(activityInvitationBatchShape, {
  load: loadActivityBatches,
  list: listActivityBatches,
  attributes: ({ kind, total, used, createdAt, told }) => ({ kind, total, used, createdAt, ...told }),
  relationships: { activity: { id: (row) => row.activityId } },
  create: (ctx, { activity, ...input }) => inviteToActivity(ctx, activity, input),
  remove: (ctx, row) => withdrawActivityBatch(ctx, row.id),
})
