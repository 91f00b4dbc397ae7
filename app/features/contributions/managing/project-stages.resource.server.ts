import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { getStageState } from '../record/activities.state.server.ts'
import { projectStageShape } from './project-stages.api.schema.ts'
import { createStage, deleteStage, listStages, loadStages, updateStage } from './project-stages.server.ts'

export const projectStageResource = implementResource(projectStageShape, {
  load: loadStages,
  list: listStages,
  can: ({ viewer }, { place }) => ({ update: checkPermission(viewer, 'activities.edit', place).ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row, ctx) => ({
    title: row.title,
    summary: row.summary,
    kind: row.kind,
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    position: row.position,
    state: getStageState(ctx.now(), row),
  }),
  relationships: { project: { id: (row) => row.projectId, alwaysVisible: true } },
  create: createStage,
  update: (ctx, row, input, lock) => updateStage(ctx, row, input, lock.version),
  remove: (ctx, row) => deleteStage(ctx, row),
})
