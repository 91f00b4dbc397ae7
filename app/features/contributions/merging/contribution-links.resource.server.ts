import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { contributionLinkShape } from './contribution-links.api.schema.ts'
import { createLink, listLinks, loadLinks, updateLink } from './link-records.server.ts'

export const contributionLinkResource = implementResource(contributionLinkShape, {
  load: loadLinks,
  list: listLinks,
  can: ({ viewer }, { project }) => ({ update: checkPermission(viewer, 'contributions.moderate', toPermissionTarget(project)).ok }),
  attributes: (row, _ctx, can) => ({
    kind: row.kind,
    reason: row.reason,
    ended: row.endedAt !== null,
    createdAt: row.createdAt,
    endedAt: row.endedAt,
    ...(can.update && {
      supportsBefore: row.supportsBefore,
      targetSupportsBefore: row.targetSupportsBefore,
      targetSupportsAfter: row.targetSupportsAfter,
      objection: row.objection,
      objectedAt: row.objectedAt,
      objectionAnswer: row.objectionAnswer,
      endReason: row.endReason,
    }),
  }),
  relationships: {
    contribution: { id: (row) => row.contributionId, alwaysVisible: true },
    target: { id: (row) => row.targetId, alwaysVisible: true },
  },
  create: createLink,
  update: updateLink,
})
