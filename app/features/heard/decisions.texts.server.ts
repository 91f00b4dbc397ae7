import { and, eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { isProjectShown } from '#app/features/projects/project-content.schema.ts'
import { projectColumns, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { decisions } from '#app/server/db/schema/heard.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import type { LoadTextSubjects } from '#app/server/translations.ts'
import type { decisionShape } from './decisions.api.schema.ts'
import { updateDecision } from './decisions.server.ts'
import { listDecisionTexts } from './heard.schema.ts'

/** What was decided on projects, for the language desk. */
export const loadDecisionSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await tx
    .select({ decision: decisions, project: projectColumns })
    .from(decisions)
    .innerJoin(projects, and(eq(projects.siteId, decisions.siteId), eq(projects.id, decisions.projectId)))
    .where(and(eq(decisions.siteId, ctx.site.id), id ? eq(decisions.id, id) : undefined))
  return rows.flatMap(({ decision: row, project }) =>
    checkPermission(ctx.viewer, 'projects.edit', toPermissionTarget(project)).ok
      ? {
          id: row.id,
          title: row.title,
          project: { id: project.id, title: project.title },
          isPublic: row.publishedAt !== null && isProjectShown(project.status),
          editor: `/admin/projects/${project.id}/heard/decisions/${row.id}`,
          content: {
            titleTranslations: row.title,
            textTranslations: row.text,
            reasonTranslations: row.reason,
            bodyTranslations: row.body,
            deliveryNoteTranslations: row.deliveryNote,
          },
          texts: listDecisionTexts(row),
          save: (content: unknown) => updateDecision(ctx, row, content as UpdateInput<typeof decisionShape>, row.lockVersion),
        }
      : [],
  )
}
