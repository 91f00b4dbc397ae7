import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { contributionStatusShape } from './contribution-statuses.api.schema.ts'
import { createStatus, deleteStatus, listStatuses, loadStatuses, updateStatus } from './contribution-statuses.server.ts'

export const contributionStatusResource = implementResource(contributionStatusShape, {
  load: loadStatuses,
  list: listStatuses,
  can: ({ viewer }, { place }) => ({ update: checkPermission(viewer, 'activities.edit', place).ok }),
  attributes: ({ title, code, position, needsText }) => ({ title, code, position, needsText }),
  relationships: { activity: { id: (row) => row.activityId } },
  create: createStatus,
  update: (ctx, row, input) => updateStatus(ctx, row, input),
  remove: (ctx, row) => deleteStatus(ctx, row),
})
