import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { siteDeletionShape } from './deletions.api.schema.ts'
import { requestDeletion, cancelDeletion, loadDeletionsById, listDeletions } from './deletions.server.ts'

export const siteDeletionResource = implementResource(siteDeletionShape, {
  load: loadDeletionsById,
  list: (ctx, { filter, sort, page }) => listDeletions(ctx, { states: filter.state, descending: sort[0]?.descending ?? true, page }),
  can: ({ viewer }, { state }) => ({ cancel: state === 'waiting' && checkPermission(viewer, 'sites.manage').ok }),
  attributes: (row) => ({
    name: row.name,
    reason: row.reason,
    host: row.host,
    askedBy: row.askedByName,
    askedAt: row.askedAt,
    dueAt: row.dueAt,
    state: row.state,
    erasedAt: row.erasedAt,
    erased: row.erased,
    exportState: row.exportState,
    exportMadeAt: row.exportMadeAt,
    exportBytes: row.exportBytes,
    exportRows: row.exportRows,
    exportFiles: row.exportFiles,
    exportSha256: row.exportSha256,
    exportExpiresAt: row.exportExpiresAt,
    exportAddress: row.exportState === 'done' ? `/admin/sites/${row.id}/export` : null,
  }),
  relationships: { site: { id: ({ id, state }) => (state === 'erased' ? null : id) } },
  create: (ctx, { site, name, reason }) => requestDeletion(ctx, { siteId: site, name, reason }),
  remove: cancelDeletion,
})
