import { invitationBatchAttributes } from '#app/features/invitations/invitations.api.schema.ts'
import { filter } from '#app/lib/api-client/filters.ts'
import { resourceShape, toOne } from '#app/lib/api-client/resource-shape.ts'

/** Codes created, or personal links sent, in one go. DELETE withdraws them. */
export const activityInvitationBatchShape = resourceShape({
  type: 'activity-invitation-batches',
  summary: 'Batches of codes and personal links for an activity',
  operations: ['list', 'get', 'create', 'remove'],
  body: { bytes: 600_000 },
  attributes: invitationBatchAttributes,
  relationships: { activity: toOne('activities', { create: 'required', nullable: false }) },
  filters: { activity: filter.id() },
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
})

declare module '#app/lib/api-client/resource-shape.ts' {
  interface ResourceShapes {
    'activity-invitation-batches': typeof activityInvitationBatchShape
  }
}
