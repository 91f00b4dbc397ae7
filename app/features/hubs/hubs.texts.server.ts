import { and, eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { hubs, topics } from '#app/server/db/schema/projects.ts'
import type { LoadTextSubjects } from '#app/server/translations.ts'
import type { hubShape, topicShape } from './hubs.api.schema.ts'
import { updateHub, updateTopic } from './hubs.editing.server.ts'
import { listHubTexts, listTopicTexts } from './hubs.schema.ts'

/** Departments with the texts of their pages, for the language desk. What their homepages add is a kind of its own. */
export const loadHubSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await tx
    .select()
    .from(hubs)
    .where(and(eq(hubs.siteId, ctx.site.id), id ? eq(hubs.id, id) : undefined))
  return rows.flatMap((row) =>
    checkPermission(ctx.viewer, 'hubs.edit-homepage', { hubId: row.id }).ok
      ? {
          id: row.id,
          title: row.title,
          project: null,
          isPublic: row.publishedAt !== null,
          editor: `/admin/hubs/${row.id}`,
          content: {
            titleTranslations: row.title,
            summaryTranslations: row.summary,
            bodyTranslations: row.body,
            pictureAltTranslations: row.pictureAlt,
          },
          texts: listHubTexts(row),
          save: (content: unknown) => updateHub(ctx, row, content as UpdateInput<typeof hubShape>, row.lockVersion),
        }
      : [],
  )
}

/** Topics of projects, which everybody sees. */
export const loadTopicSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  if (!checkPermission(ctx.viewer, 'site.edit').ok) return []
  const rows = await tx
    .select()
    .from(topics)
    .where(and(eq(topics.siteId, ctx.site.id), id ? eq(topics.id, id) : undefined))
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    project: null,
    isPublic: true,
    editor: '/admin/settings',
    content: { titleTranslations: row.title },
    texts: listTopicTexts(row),
    save: (content: unknown) => updateTopic(ctx, row, content as UpdateInput<typeof topicShape>),
  }))
}
