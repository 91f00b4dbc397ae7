import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { listRetentions, loadRetentions, mayChangeRetention, updateRetention } from './project-retentions.server.ts'
import { projectRetentionShape, retentionSettingShape } from './retention.api.schema.ts'
import { listRetentionSettings, updateRetentionSettings } from './retention-settings.server.ts'

export const projectRetentionResource = implementResource(projectRetentionShape, {
  load: loadRetentions,
  list: listRetentions,
  can: (ctx, row) => ({ update: mayChangeRetention(ctx, row) }),
  lockVersion: (row) => row.lockVersion,
  attributes: ({ keptMonths, siteMonths, closedAt, removalAt, warnedAt, removedAt }) => ({
    keptMonths,
    siteMonths,
    closedAt,
    removalAt,
    toldAt: warnedAt,
    removedAt,
  }),
  relationships: { project: { id: (row) => row.id } },
  update: (ctx, row, input, lock) => updateRetention(ctx, row, input, lock.version),
})

export const retentionSettingResource = implementResource(retentionSettingShape, {
  load: async (ctx, ids) => (await listRetentionSettings(ctx)).filter(({ id }) => ids.includes(id)),
  list: async (ctx) => {
    const rows = await listRetentionSettings(ctx)
    return { rows, total: rows.length }
  },
  can: ({ viewer }) => ({ update: checkPermission(viewer, 'site.edit').ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: ({ keptMonths }) => ({ keptMonths }),
  update: async (ctx, row, { keptMonths }, lock) => {
    if (keptMonths !== undefined) await updateRetentionSettings(ctx, row, keptMonths, lock.version)
  },
})
