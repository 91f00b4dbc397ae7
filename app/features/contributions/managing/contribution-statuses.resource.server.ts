import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { contributionStatusShape } from './contribution-statuses.api.schema.ts'
import { createStatus, deleteStatus, listStatuses, loadStatuses, updateStatus } from './contribution-statuses.server.ts'

export const contributionStatusResource = implementResource(contributionStatusShape, {
  load: loadStatuses,
  list: listStatuses,
  can: ({ viewer }, { place }) => ({ update: checkPermission(viewer, 'activities.edit', place).ok }),
  lockVersion: ({ lockVersion }) => lockVersion,
  attributes: ({ title, code, position, needsText, archived, inUse }, _ctx, can) => ({
    title,
    code,
    position,
    needsText,
    archived,
    ...(can.update && { inUse }),
  }),
  relationships: { activity: { id: (row) => row.activityId } },
  create: createStatus,
  update: (ctx, row, input, lock) => updateStatus(ctx, row, input, lock.version),
  remove: (ctx, row) => deleteStatus(ctx, row),
})
