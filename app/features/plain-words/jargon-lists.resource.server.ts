import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { jargonListShape } from './jargon-lists.api.schema.ts'
import { listJargonLists, loadJargonLists, updateJargonList } from './jargon-lists.server.ts'

export const jargonListResource = implementResource(jargonListShape, {
  load: loadJargonLists,
  list: listJargonLists,
  can: ({ viewer }) => ({ update: checkPermission(viewer, 'site.edit').ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: ({ language, entries }) => ({ language, entries }),
  update: (ctx, row, input, lock) => updateJargonList(ctx, row, input, lock.version),
})
