import { and, asc, eq } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { projectDocuments, projects } from '#app/server/db/schema/projects.ts'
import type { LoadTextSubjects } from '#app/server/translations.ts'
import { isProjectShown } from '../project-content.schema.ts'
import { toPermissionTarget } from '../projects.policy.server.ts'
import type { projectDocumentShape } from './documents.api.schema.ts'
import { listDocumentTexts, loadDocumentsById, updateDocument } from './documents.server.ts'

/** Only what the desk shows of a project is read with each of its documents. */
const PROJECT = {
  id: projects.id,
  title: projects.title,
  status: projects.status,
  hubId: projects.hubId,
  publishedAt: projects.publishedAt,
}

/** Titles of projects' documents, for the language desk. Every language shows all documents, so each needs a title in it. */
export const loadDocumentSubjects: LoadTextSubjects = async (ctx, tx, id) => {
  const rows = await tx
    .select({ document: { id: projectDocuments.id, title: projectDocuments.title }, project: PROJECT })
    .from(projectDocuments)
    .innerJoin(projects, and(eq(projects.siteId, projectDocuments.siteId), eq(projects.id, projectDocuments.projectId)))
    .where(and(eq(projectDocuments.siteId, ctx.site.id), id ? eq(projectDocuments.id, id) : undefined))
    .orderBy(asc(projectDocuments.projectId), asc(projectDocuments.position), asc(projectDocuments.id))
  return rows.flatMap(({ document, project }) =>
    checkPermission(ctx.viewer, 'projects.edit', toPermissionTarget(project)).ok
      ? {
          id: document.id,
          title: document.title,
          project: { id: project.id, title: project.title },
          isPublic: isProjectShown(project.status),
          editor: `/admin/projects/${project.id}#documents`,
          content: { titleTranslations: document.title },
          texts: listDocumentTexts(document),
          save: async (content: unknown) => {
            const [row] = await loadDocumentsById(ctx, [document.id])
            if (!row) throw new AppError('not-found')
            await updateDocument(ctx, row, content as UpdateInput<typeof projectDocumentShape>)
          },
        }
      : [],
  )
}
