import { type AuthoredRevision, listRevisions, loadVisibleRevisions } from '#app/features/revisions/revisions.list.server.ts'
import { publishById, toContent, toPublicationIds, toRevisionAttributes } from '#app/features/revisions/revision-resources.server.ts'
import { saveRevision, withdrawRevision } from '#app/features/revisions/revisions.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { activityRevisionPublicationShape, activityRevisionShape } from './activity-revisions.api.schema.ts'
import { ACTIVITY_CONTENT } from './activity-revisions.server.ts'

export const activityRevisionResource = implementResource(activityRevisionShape, {
  load: (ctx, ids) => loadVisibleRevisions(ctx, ACTIVITY_CONTENT, ids),
  list: (ctx, { filter, sort, page }) => listRevisions(ctx, ACTIVITY_CONTENT, { ...filter, place: filter.activity, sort, page }),
  // Revisions are only listed for people who may edit the activity.
  can: () => ({ update: true }),
  attributes: (row: AuthoredRevision) => ({ ...toRevisionAttributes(row), content: toContent(row) }),
  relationships: {
    activity: { id: (row) => row.placeId },
    parent: { id: (row) => row.parentId },
    publications: { ids: toPublicationIds },
  },
  create: async (ctx, { content, note, activity, parent }) =>
    (await saveRevision(ctx, ACTIVITY_CONTENT, { content, note, placeId: activity, parentId: parent ?? null })).id,
})

export const activityRevisionPublicationResource = implementResource(activityRevisionPublicationShape, {
  load: async (ctx, ids) => (await loadVisibleRevisions(ctx, ACTIVITY_CONTENT, ids)).filter(({ publishedAt }) => publishedAt !== null),
  attributes: ({ publishedAt, waived }: AuthoredRevision) => ({ publishedAt, waived }),
  relationships: { revision: { id: (row: AuthoredRevision) => row.id } },
  create: (ctx, input) => publishById(ctx, ACTIVITY_CONTENT, input),
  remove: (ctx, row) => withdrawRevision(ctx, ACTIVITY_CONTENT, row),
})
