import { implementResource, implementSingleton } from '#app/server/api/implement.ts'
import { auditCheckShape, auditEventShape } from './audit.api.schema.ts'
import { loadAuditById, checkAudit, listAudit, canSeeAddresses } from './audit.list.server.ts'

export const auditEventResource = implementResource(auditEventShape, {
  load: loadAuditById,
  list: (ctx, { filter, sort, page }) =>
    listAudit(ctx, { filter, oldestFirst: sort[0]?.descending === false, offset: page.offset, limit: page.limit }),
  attributes: (event, { viewer }) => ({
    sequence: event.sequence,
    at: event.at,
    action: event.action,
    actorId: event.actorId,
    actorName: event.actorName,
    actorRole: event.actorRole,
    subjectType: event.subjectType,
    subjectId: event.subjectId,
    subjectName: event.subjectName,
    ...(canSeeAddresses(viewer) ? { address: event.address } : {}),
    detail: event.detail as Record<string, unknown>,
    names: event.names,
    hash: event.hash.toString('hex'),
  }),
})

export const auditCheckResource = implementSingleton(auditCheckShape, {
  read: async (ctx) => ({ id: 'audit-check', ...(await checkAudit(ctx)) }),
  attributes: ({ lines, brokenAt, hash }) => ({ lines, brokenAt, hash }),
})
