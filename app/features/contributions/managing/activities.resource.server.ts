import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { canSendInvitations } from '#app/features/invitations/invitations.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { activityShape } from './activities.api.schema.ts'
import {
  createActivity,
  deleteActivity,
  listActivities,
  loadActivities,
  loadStatusIds,
  updateActivity,
} from './activities.editing.server.ts'
import { mayPublishActivity } from '../record/activities.policy.server.ts'
import { listCategoryIds } from './categories.server.ts'
import { readExtraQuestions } from '../fields/fields.server.ts'
import { getActivityState } from '../record/activities.state.server.ts'

export const activityResource = implementResource(activityShape, {
  load: loadActivities,
  list: listActivities,
  can: ({ viewer }, { activity, project }) => {
    const update = checkPermission(viewer, 'activities.edit', toPermissionTarget(project)).ok
    return {
      update,
      publish: update && mayPublishActivity(viewer, project),
      invite: update && canSendInvitations(viewer, project),
      remove: update && activity.numbered === 0,
      moderate: checkPermission(viewer, 'contributions.moderate', toPermissionTarget(project)).ok,
    }
  },
  lockVersion: ({ activity }) => activity.lockVersion,
  attributes: (row, ctx, can) => {
    const { activity } = row
    return {
      kind: activity.kind,
      slug: activity.slug,
      title: activity.title,
      intro: activity.intro,
      status: activity.status,
      opensAt: activity.opensAt,
      closesAt: activity.closesAt,
      postAccess: activity.postAccess,
      reactAccess: activity.reactAccess,
      ...(can.update && { groupId: activity.groupId }),
      moderation: activity.moderation,
      settings: activity.settings as Record<string, unknown>,
      fields: [...readExtraQuestions(activity)],
      position: activity.position,
      hasOpened: activity.hasOpened,
      state: getActivityState(ctx.now(), row),
      contributions: row.published,
      ...(can.update && { hasChanges: row.hasChanges, mapMissing: row.isMapMissing }),
      ...(can.moderate && { held: row.held }),
    }
  },
  relationships: {
    project: { id: ({ activity }) => activity.projectId, alwaysVisible: true },
    stage: { id: ({ activity }) => activity.stageId, alwaysVisible: true },
    categories: {
      ids: (_ctx, rows) => Promise.resolve(new Map(rows.map((row) => [row.id, listCategoryIds(row)]))),
      filter: ({ id }) => ({ activity: id }),
    },
    statuses: {
      ids: (ctx, rows) =>
        loadStatusIds(
          ctx,
          rows.map(({ id }) => id),
        ),
      filter: ({ id }) => ({ activity: id }),
    },
  },
  create: createActivity,
  update: (ctx, row, input, lock) => updateActivity(ctx, row, input, lock.version),
  remove: (ctx, row) => deleteActivity(ctx, row),
})
