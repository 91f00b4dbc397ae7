import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { addLayer, removeLayer, updateLayer } from './edit-layers.server.ts'
import { listLayers, loadLayersById } from './layer-records.server.ts'
import { mapLayerShape } from './map-layers.api.schema.ts'

export const mapLayerResource = implementResource(mapLayerShape, {
  load: loadLayersById,
  list: listLayers,
  can: ({ viewer }, { project }) => ({ update: checkPermission(viewer, 'activities.edit', toPermissionTarget(project)).ok }),
  lockVersion: ({ lockVersion }) => lockVersion,
  attributes: (row) => ({
    name: row.name,
    pattern: row.pattern,
    position: row.position,
    visible: row.visible,
    number: row.number,
    features: row.features,
    bytes: row.bytes,
    simplified: row.isSimplified,
    convertedFrom: row.convertedFrom,
    box: row.box,
  }),
  relationships: { activity: { id: (row) => row.activityId, alwaysVisible: true } },
  create: addLayer,
  update: (ctx, row, input, lock) => updateLayer(ctx, row, input, lock.version),
  remove: removeLayer,
})
