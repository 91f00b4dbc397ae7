import { implementResource } from '#app/server/api/implement.ts'
import { savedSectionShape } from './saved-sections.api.schema.ts'
import { listSections, removeSection, saveSection, loadSectionsById } from './saved-sections.server.ts'

export const savedSectionResource = implementResource(savedSectionShape, {
  load: loadSectionsById,
  list: (ctx, { filter, page }) => listSections(ctx, { ...filter, page }),
  attributes: ({ name, content, createdAt }) => ({ name, content: content as Record<string, unknown>, createdAt }),
  relationships: { hub: { id: (row) => row.hubId } },
  create: (ctx, { name, content, hub }) => saveSection(ctx, { name, content, hubId: hub ?? null }),
  remove: (ctx, row) => removeSection(ctx, row),
})
