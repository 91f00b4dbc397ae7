import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { toPermissionTarget } from '../projects.policy.server.ts'
import { projectDocumentShape } from './documents.api.schema.ts'
import { addDocument, loadDocumentsById, listDocuments, removeDocument, updateDocument } from './documents.server.ts'

export const projectDocumentResource = implementResource(projectDocumentShape, {
  load: loadDocumentsById,
  list: (ctx, { filter, page }) => listDocuments(ctx, { ...filter, offset: page.offset, limit: page.limit }),
  can: ({ viewer }, row) => ({ update: checkPermission(viewer, 'projects.edit', toPermissionTarget(row.project)).ok }),
  attributes: ({ title, language, position, mediaType, bytes, pages, file }) => ({
    title,
    language,
    position,
    mediaType,
    bytes,
    pages,
    address: file,
  }),
  relationships: { project: { id: ({ projectId }) => projectId } },
  create: (ctx, input) => addDocument(ctx, input),
  update: (ctx, row, input) => updateDocument(ctx, row, input),
  remove: (ctx, row) => removeDocument(ctx, row),
})
