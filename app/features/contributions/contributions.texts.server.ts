import { and, eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { isProjectShown } from '#app/features/projects/project-content.schema.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { withTx } from '#app/server/context.ts'
import type { LoadTextSubjects, TextSubject } from '#app/server/translations.ts'
import { createDraftPublisher } from '#app/features/revisions/publish-draft.server.ts'
import { findDraftRevision, saveRevision } from '#app/features/revisions/revisions.server.ts'
import { ACTIVITY_CONTENT, activityHistory, toActivityContent } from './managing/activity-revisions.server.ts'
import { selectPlacedActivities } from './record/activities.policy.server.ts'
import { listContentTexts } from './record/activity-content.schema.ts'

/** Activities with their texts, for the language desk. */
export const loadActivitySubjects: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await selectPlacedActivities(tx).where(and(eq(activities.siteId, ctx.site.id), id ? eq(activities.id, id) : undefined))
  const drafts = id === undefined ? await activityHistory.loadDraftContents(ctx, tx) : undefined
  const subjects: TextSubject[] = []
  for (const { activity: row, project } of rows) {
    if (!checkPermission(ctx.viewer, 'activities.edit', toPermissionTarget(project)).ok) continue
    const draft = drafts ? drafts.get(row.id) : await activityHistory.loadDraftContent(ctx, tx, row.id)
    const content = draft ?? toActivityContent(row)
    subjects.push({
      id: row.id,
      title: content.titleTranslations,
      project: { id: project.id, title: project.title },
      isPublic: row.status === 'published' && isProjectShown(project.status),
      editor: `/admin/projects/${project.id}/activities/${row.id}`,
      content,
      texts: listContentTexts(content),
      save: async (next) => {
        const newest = await findDraftRevision(ctx, ACTIVITY_CONTENT, row.id)
        return saveRevision(ctx, ACTIVITY_CONTENT, { content: next, placeId: row.id, parentId: newest?.id ?? null })
      },
      publish:
        id !== undefined && row.status === 'published'
          ? await createDraftPublisher(withTx(ctx, tx), ctx, ACTIVITY_CONTENT, row.id)
          : undefined,
    })
  }
  return subjects
}
