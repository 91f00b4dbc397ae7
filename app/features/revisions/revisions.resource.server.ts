import { APPEARANCE } from '#app/features/appearance/appearance.server.ts'
import { HOMEPAGE } from '#app/features/homepage/homepage.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import {
  appearancePublicationShape,
  appearanceRevisionShape,
  homepagePublicationShape,
  homepageRevisionShape,
} from './revisions.api.schema.ts'
import { listRevisions, loadVisibleRevisions, type AuthoredRevision } from './revisions.list.server.ts'
import { canEditScope, publishRevision, type RevisionKind, saveRevision, withdrawRevision } from './revisions.server.ts'

const toAttributes = (row: AuthoredRevision, { update }: { update: boolean }) => ({
  note: row.note,
  createdAt: row.createdAt,
  publishedAt: row.publishedAt,
  ...(update ? { author: row.author, waived: row.waived } : {}),
})
const toContent = (row: AuthoredRevision) => row.content as Record<string, unknown>
const toPublicationIds = (_: Ctx, rows: readonly AuthoredRevision[]) =>
  Promise.resolve(new Map(rows.map((row) => [row.id, row.publishedAt ? [row.id] : []])))

export const homepageRevisionResource = implementResource(homepageRevisionShape, {
  load: (ctx, ids) => loadVisibleRevisions(ctx, HOMEPAGE, ids),
  list: (ctx, { filter, sort, page }) => listRevisions(ctx, HOMEPAGE, { ...filter, sort, page }),
  can: (ctx, row) => ({ update: canEditScope(ctx, row.hubId) }),
  attributes: (row, _, can) => ({ ...toAttributes(row, can), content: toContent(row) }),
  relationships: { hub: { id: (row) => row.hubId }, parent: { id: (row) => row.parentId }, publications: { ids: toPublicationIds } },
  create: async (ctx, { content: given, note, hub, parent }) =>
    (await saveRevision(ctx, HOMEPAGE, { content: given, note, hubId: hub ?? null, parentId: parent ?? null })).id,
})

export const appearanceRevisionResource = implementResource(appearanceRevisionShape, {
  load: (ctx, ids) => loadVisibleRevisions(ctx, APPEARANCE, ids),
  list: (ctx, { filter, sort, page }) => listRevisions(ctx, APPEARANCE, { ...filter, sort, page }),
  can: (ctx) => ({ update: canEditScope(ctx, null) }),
  attributes: (row, _, can) => ({ ...toAttributes(row, can), tokens: toContent(row) }),
  relationships: { parent: { id: (row) => row.parentId }, publications: { ids: toPublicationIds } },
  create: async (ctx, { tokens, note, parent }) =>
    (await saveRevision(ctx, APPEARANCE, { content: tokens, note, hubId: null, parentId: parent ?? null })).id,
})

/** Publications, for those who edit the page: what is scheduled is nobody else's business. */
const loadPublications = async (ctx: Ctx, kind: RevisionKind, ids: readonly string[]): Promise<AuthoredRevision[]> =>
  (await loadVisibleRevisions(ctx, kind, ids)).filter((row) => row.publishedAt !== null && canEditScope(ctx, row.hubId))

async function publishById(
  ctx: Ctx,
  kind: RevisionKind,
  input: { revision: string; publishAt?: string | null | undefined; waived?: string[] | undefined },
): Promise<string> {
  const [row] = await loadVisibleRevisions(ctx, kind, [input.revision])
  if (!row) throw new AppError('not-found')
  return (await publishRevision(ctx, kind, row, input)).id
}

const toPublicationAttributes = (row: AuthoredRevision) => ({ publishAt: row.publishedAt, waived: row.waived })

export const homepagePublicationResource = implementResource(homepagePublicationShape, {
  load: (ctx, ids) => loadPublications(ctx, HOMEPAGE, ids),
  attributes: toPublicationAttributes,
  relationships: { revision: { id: (row: AuthoredRevision) => row.id } },
  create: (ctx, input) => publishById(ctx, HOMEPAGE, input),
  remove: (ctx, row) => withdrawRevision(ctx, HOMEPAGE, row),
})

export const appearancePublicationResource = implementResource(appearancePublicationShape, {
  load: (ctx, ids) => loadPublications(ctx, APPEARANCE, ids),
  attributes: toPublicationAttributes,
  relationships: { revision: { id: (row: AuthoredRevision) => row.id } },
  create: (ctx, input) => publishById(ctx, APPEARANCE, input),
  remove: (ctx, row) => withdrawRevision(ctx, APPEARANCE, row),
})
