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
import { listRevisions, seenRevisions, type SeenRevision } from './revisions.list.server.ts'
import { mayEditScope, publishRevision, type RevisionKind, saveRevision, withdrawRevision } from './revisions.server.ts'

const attributesOf = (row: SeenRevision, { update }: { update: boolean }) => ({
  note: row.note,
  createdAt: row.createdAt,
  publishedAt: row.publishedAt,
  ...(update ? { author: row.author, waived: row.waived } : {}),
})
const content = (row: SeenRevision) => row.content as Record<string, unknown>
const publicationIds = (_: Ctx, rows: readonly SeenRevision[]) =>
  Promise.resolve(new Map(rows.map((row) => [row.id, row.publishedAt ? [row.id] : []])))

export const homepageRevisionResource = implementResource(homepageRevisionShape, {
  load: (ctx, ids) => seenRevisions(ctx, HOMEPAGE, ids),
  list: (ctx, { filter, sort, page }) => listRevisions(ctx, HOMEPAGE, { ...filter, sort, page }),
  can: (ctx, row) => ({ update: mayEditScope(ctx, row.hubId) }),
  attributes: (row, _, can) => ({ ...attributesOf(row, can), content: content(row) }),
  relationships: { hub: { id: (row) => row.hubId }, parent: { id: (row) => row.parentId }, publications: { ids: publicationIds } },
  create: async (ctx, { content: given, note, hub, parent }) =>
    (await saveRevision(ctx, HOMEPAGE, { content: given, note, hubId: hub ?? null, parentId: parent ?? null })).id,
})

export const appearanceRevisionResource = implementResource(appearanceRevisionShape, {
  load: (ctx, ids) => seenRevisions(ctx, APPEARANCE, ids),
  list: (ctx, { filter, sort, page }) => listRevisions(ctx, APPEARANCE, { ...filter, sort, page }),
  can: (ctx) => ({ update: mayEditScope(ctx, null) }),
  attributes: (row, _, can) => ({ ...attributesOf(row, can), tokens: content(row) }),
  relationships: { parent: { id: (row) => row.parentId }, publications: { ids: publicationIds } },
  create: async (ctx, { tokens, note, parent }) =>
    (await saveRevision(ctx, APPEARANCE, { content: tokens, note, hubId: null, parentId: parent ?? null })).id,
})

/** Publications that those may ask for who edit the page: what is planned is nobody else's business. */
const publications = async (ctx: Ctx, kind: RevisionKind, ids: readonly string[]): Promise<SeenRevision[]> =>
  (await seenRevisions(ctx, kind, ids)).filter((row) => row.publishedAt !== null && mayEditScope(ctx, row.hubId))

async function publish(
  ctx: Ctx,
  kind: RevisionKind,
  input: { revision: string; publishAt?: string | null | undefined; waived?: string[] | undefined },
): Promise<string> {
  const [row] = await seenRevisions(ctx, kind, [input.revision])
  if (!row) throw new AppError('not-found')
  return (await publishRevision(ctx, kind, row, input)).id
}

const publicationAttributes = (row: SeenRevision) => ({ publishAt: row.publishedAt, waived: row.waived })

export const homepagePublicationResource = implementResource(homepagePublicationShape, {
  load: (ctx, ids) => publications(ctx, HOMEPAGE, ids),
  attributes: publicationAttributes,
  relationships: { revision: { id: (row: SeenRevision) => row.id } },
  create: (ctx, input) => publish(ctx, HOMEPAGE, input),
  remove: (ctx, row) => withdrawRevision(ctx, HOMEPAGE, row),
})

export const appearancePublicationResource = implementResource(appearancePublicationShape, {
  load: (ctx, ids) => publications(ctx, APPEARANCE, ids),
  attributes: publicationAttributes,
  relationships: { revision: { id: (row: SeenRevision) => row.id } },
  create: (ctx, input) => publish(ctx, APPEARANCE, input),
  remove: (ctx, row) => withdrawRevision(ctx, APPEARANCE, row),
})
