import { type AuthoredRevision, listRevisions, loadVisibleRevisions } from '#app/features/revisions/revisions.list.server.ts'
import { publishRevision, saveRevision, withdrawRevision } from '#app/features/revisions/revisions.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { activityRevisionPublicationShape, activityRevisionShape } from './activity-revisions.api.schema.ts'
import { ACTIVITY_CONTENT } from './activity-revisions.server.ts'

export const activityRevisionResource = implementResource(activityRevisionShape, {
  load: (ctx, ids) => loadVisibleRevisions(ctx, ACTIVITY_CONTENT, ids),
  list: (ctx, { filter, sort, page }) => listRevisions(ctx, ACTIVITY_CONTENT, { ...filter, place: filter.activity, sort, page }),
  // Revisions are only listed for people who may edit the activity.
  can: () => ({ update: true }),
  attributes: ({ note, createdAt, publishedAt, author, waived, content }: AuthoredRevision) => ({
    note,
    createdAt,
    publishedAt,
    author,
    waived,
    content: content as Record<string, unknown>,
  }),
  relationships: {
    activity: { id: (row) => row.placeId },
    parent: { id: (row) => row.parentId },
    publications: { ids: (_, rows) => Promise.resolve(new Map(rows.map((row) => [row.id, row.publishedAt ? [row.id] : []]))) },
  },
  create: async (ctx, { content, note, activity, parent }) =>
    (await saveRevision(ctx, ACTIVITY_CONTENT, { content, note, placeId: activity, parentId: parent ?? null })).id,
})

export const activityRevisionPublicationResource = implementResource(activityRevisionPublicationShape, {
  load: async (ctx, ids) => (await loadVisibleRevisions(ctx, ACTIVITY_CONTENT, ids)).filter(({ publishedAt }) => publishedAt !== null),
  attributes: ({ publishedAt, waived }: AuthoredRevision) => ({ publishedAt, waived }),
  relationships: { revision: { id: (row: AuthoredRevision) => row.id } },
  create: async (ctx, input) => {
    const [row] = await loadVisibleRevisions(ctx, ACTIVITY_CONTENT, [input.revision])
    if (!row) throw new AppError('not-found')
    return (await publishRevision(ctx, ACTIVITY_CONTENT, row, input)).id
  },
  remove: (ctx, row) => withdrawRevision(ctx, ACTIVITY_CONTENT, row),
})
