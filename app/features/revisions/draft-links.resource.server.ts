import { AppError } from '#app/lib/app-error.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { draftLinkShape } from './draft-links.api.schema.ts'
import { listDraftLinks, createDraftLink, revokeDraftLink, loadDraftLinksById } from './draft-links.server.ts'

export const draftLinkResource = implementResource(draftLinkShape, {
  load: loadDraftLinksById,
  list: (ctx, { filter, page }) => listDraftLinks(ctx, { ...filter, page }),
  attributes: ({ subject, note, expiresAt, createdAt, lastUsedAt, author, path }) => ({
    subject,
    note,
    expiresAt,
    createdAt,
    lastUsedAt,
    author,
    path,
  }),
  relationships: { hub: { id: (row) => row.hubId }, project: { id: (row) => row.projectId } },
  create: (ctx, { subject, note, expiresAt, hub, project }) => {
    if (subject !== 'project') return createDraftLink(ctx, { subject, note, expiresAt, placeId: hub ?? null })
    if (!project) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/project' }] })
    return createDraftLink(ctx, { subject, note, expiresAt, placeId: project })
  },
  remove: (ctx, row) => revokeDraftLink(ctx, row),
})
