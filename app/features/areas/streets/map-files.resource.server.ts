import { implementResource } from '#app/server/api/implement.ts'
import { mapFileShape } from './map-files.api.schema.ts'
import { addMapFile, listMapFiles, loadMapFilesById, type MapFileRow, removeMapFile, updateMapFile } from './map-files.server.ts'

export const mapFileResource = implementResource(mapFileShape, {
  load: loadMapFilesById,
  list: async (ctx, { page }) => {
    const all = await listMapFiles(ctx)
    return { rows: all.slice(page.offset, page.offset + page.limit), total: all.length }
  },
  attributes: ({ credit, name, bytes, tiles, box, createdAt }: MapFileRow) => ({
    credit,
    name,
    bytes,
    tiles,
    box,
    createdAt: createdAt.toISOString(),
  }),
  create: addMapFile,
  update: updateMapFile,
  remove: removeMapFile,
})
