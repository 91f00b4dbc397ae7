import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { areaOutlineShape } from './area-outlines.api.schema.ts'
import { type AreaRow, createArea, listOutlines, loadOutlines, removeArea, updateArea } from './edit-areas.server.ts'
import { buildOutline } from './outlines.ts'
import type { Rings } from './polygons.schema.ts'

export const areaOutlineResource = implementResource(areaOutlineShape, {
  load: loadOutlines,
  list: async (ctx, { page }) => {
    const all = await listOutlines(ctx)
    return { rows: all.slice(page.offset, page.offset + page.limit), total: all.length }
  },
  can: ({ viewer }) => ({ update: checkPermission(viewer, 'site.edit').ok }),
  lockVersion: ({ lockVersion }) => lockVersion,
  attributes: ({ names, slug, key, rings, goneAt, datasetId }: AreaRow) => ({
    name: names,
    slug,
    key: key ?? '',
    outline: buildOutline(rings as Rings),
    setAside: goneAt !== null,
    fromDataset: datasetId !== null,
  }),
  create: createArea,
  update: (ctx, row, input, lock) => updateArea(ctx, row, input, lock.version),
  remove: removeArea,
})
