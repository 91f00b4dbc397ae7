import { and, eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { isProjectShown } from '#app/features/projects/project-content.schema.ts'
import { toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import type { LoadTextSubjects } from '#app/server/translations.ts'
import { listTextsOf, updateActivity } from './managing/activities.editing.server.ts'
import { selectPlacedActivities } from './record/activities.policy.server.ts'

/** Activities with their texts, for the language desk. */
export const loadActivitySubjects: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await selectPlacedActivities(tx).where(and(eq(activities.siteId, ctx.site.id), id ? eq(activities.id, id) : undefined))
  return rows.flatMap((placed) => {
    const { activity: row, project } = placed
    if (!checkPermission(ctx.viewer, 'activities.edit', toPermissionTarget(project)).ok) return []
    const content = { titleTranslations: row.title, introTranslations: row.intro, settings: row.settings, fields: row.fields }
    return {
      id: row.id,
      title: row.title,
      project: { id: project.id, title: project.title },
      isPublic: row.status === 'published' && isProjectShown(project.status),
      editor: `/admin/projects/${project.id}?tab=activities`,
      content,
      texts: listTextsOf(row, []),
      save: (next: unknown) => updateActivity(ctx, placed, next as Parameters<typeof updateActivity>[2], row.lockVersion),
    }
  })
}
