import { APPEARANCE } from '#app/features/appearance/appearance.server.ts'
import { HOMEPAGE } from '#app/features/homepage/homepage.server.ts'
import { cancelChangesReview, loadReviewRequests, PROJECT_CONTENT } from '#app/features/projects/project-revisions.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { publishById, toContent, toPublicationIds, toRevisionAttributes } from './revision-resources.server.ts'
import {
  appearancePublicationShape,
  appearanceRevisionShape,
  homepagePublicationShape,
  homepageRevisionShape,
  projectRevisionPublicationShape,
  projectRevisionShape,
} from './revisions.api.schema.ts'
import { listRevisions, loadVisibleRevisions, type AuthoredRevision } from './revisions.list.server.ts'
import { canEditScope } from './revisions.policy.server.ts'
import { type RevisionKind, saveRevision, withdrawRevision } from './revisions.server.ts'

function toAttributes(row: AuthoredRevision, { update }: { update: boolean }) {
  const { author, waived, ...shown } = toRevisionAttributes(row)
  return update ? { ...shown, author, waived } : shown
}

export const homepageRevisionResource = implementResource(homepageRevisionShape, {
  load: (ctx, ids) => loadVisibleRevisions(ctx, HOMEPAGE, ids),
  list: (ctx, { filter, sort, page }) => listRevisions(ctx, HOMEPAGE, { ...filter, place: filter.hub, sort, page }),
  can: (ctx, row) => ({ update: canEditScope(ctx, row.placeId) }),
  attributes: (row, _, can) => ({ ...toAttributes(row, can), content: toContent(row) }),
  relationships: { hub: { id: (row) => row.placeId }, parent: { id: (row) => row.parentId }, publications: { ids: toPublicationIds } },
  create: async (ctx, { content: given, note, hub, parent }) =>
    (await saveRevision(ctx, HOMEPAGE, { content: given, note, placeId: hub ?? null, parentId: parent ?? null })).id,
})

export const appearanceRevisionResource = implementResource(appearanceRevisionShape, {
  load: (ctx, ids) => loadVisibleRevisions(ctx, APPEARANCE, ids),
  list: (ctx, { filter, sort, page }) => listRevisions(ctx, APPEARANCE, { ...filter, sort, page }),
  can: (ctx) => ({ update: canEditScope(ctx, null) }),
  attributes: (row, _, can) => ({ ...toAttributes(row, can), tokens: toContent(row) }),
  relationships: { parent: { id: (row) => row.parentId }, publications: { ids: toPublicationIds } },
  create: async (ctx, { tokens, note, parent }) =>
    (await saveRevision(ctx, APPEARANCE, { content: tokens, note, placeId: null, parentId: parent ?? null })).id,
})

/** Publications, also scheduled ones, for people who may edit the page. */
const loadPublications = async (ctx: Ctx, kind: RevisionKind, ids: readonly string[]): Promise<AuthoredRevision[]> =>
  (await loadVisibleRevisions(ctx, kind, ids)).filter((row) => row.publishedAt !== null && canEditScope(ctx, row.placeId))

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

type ProjectRevision = AuthoredRevision & { reviewRequestedAt: Date | null }

async function addReviewRequests(ctx: Ctx, rows: readonly AuthoredRevision[]): Promise<ProjectRevision[]> {
  const asked = await loadReviewRequests(ctx, rows)
  return rows.map((row) => ({ ...row, reviewRequestedAt: asked.get(row.id) ?? null }))
}

const loadProjectRevisions = async (ctx: Ctx, ids: readonly string[]): Promise<ProjectRevision[]> =>
  addReviewRequests(ctx, await loadVisibleRevisions(ctx, PROJECT_CONTENT, ids))

const isPublication = ({ publishedAt, reviewRequestedAt }: ProjectRevision) => publishedAt !== null || reviewRequestedAt !== null

export const projectRevisionResource = implementResource(projectRevisionShape, {
  load: loadProjectRevisions,
  list: async (ctx, { filter, sort, page }) => {
    const { rows, total } = await listRevisions(ctx, PROJECT_CONTENT, { ...filter, place: filter.project, sort, page })
    return { rows: await addReviewRequests(ctx, rows), total }
  },
  // Nobody else sees them.
  can: () => ({ update: true }),
  attributes: (row, _, can) => ({ ...toAttributes(row, can), content: toContent(row), reviewRequestedAt: row.reviewRequestedAt }),
  relationships: {
    project: { id: (row) => row.placeId },
    parent: { id: (row) => row.parentId },
    publications: { ids: (_, rows) => Promise.resolve(new Map(rows.map((row) => [row.id, isPublication(row) ? [row.id] : []]))) },
  },
  create: async (ctx, { content, note, project, parent }) =>
    (await saveRevision(ctx, PROJECT_CONTENT, { content, note, placeId: project, parentId: parent ?? null })).id,
})

export const projectRevisionPublicationResource = implementResource(projectRevisionPublicationShape, {
  load: async (ctx, ids) => (await loadProjectRevisions(ctx, ids)).filter(isPublication),
  attributes: ({ publishedAt, reviewRequestedAt, waived }: ProjectRevision) => ({ publishedAt, reviewRequestedAt, waived }),
  relationships: { revision: { id: (row: ProjectRevision) => row.id } },
  create: (ctx, input) => publishById(ctx, PROJECT_CONTENT, input),
  remove: (ctx, row) => (row.reviewRequestedAt ? cancelChangesReview(ctx, row) : withdrawRevision(ctx, PROJECT_CONTENT, row)),
})
