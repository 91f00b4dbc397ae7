import { createReaderContext } from '#app/features/homepage/homepage.preview.server.ts'
import type { PreviewSearch } from '#app/features/live-preview/preview-search.schema.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import { loadDraftContent, PROJECT_CONTENT } from './project-revisions.server.ts'
import { readProjectContent } from './project-content.schema.ts'
import { toPermissionTarget } from './projects.policy.server.ts'
import type { ProjectView } from './projects.schema.ts'
import { loadProjectView, requireProjectBySlug } from './projects.server.ts'

export interface ProjectPreviewRequest extends Omit<PreviewSearch, 'link'> {
  slug: string
}

/**
 * A project's page with its draft of changes, as the chosen kind of reader would see it.
 * @param content what the editor holds, not saved yet
 * @throws {AppError} `not-found` for those who may not edit it; `invalid` for content that could not be saved either
 */
export function getProjectPreview(ctx: Ctx, request: ProjectPreviewRequest & { content?: unknown }): Promise<ProjectView> {
  return ctx.db.read(async (tx) => {
    const reader = createReaderContext(withTx(ctx, tx), request)
    const row = await requireProjectBySlug(ctx, tx, request.slug)
    if (!checkPermission(ctx.viewer, 'projects.edit', toPermissionTarget(row)).ok) throw new AppError('not-found')
    const given = request.content === undefined ? undefined : readProjectContent(PROJECT_CONTENT.read(ctx, request.content))
    const changes = request.published ? undefined : (given ?? (await loadDraftContent(ctx, tx, row.id)))
    return loadProjectView(reader, tx, row, { preview: false, changes })
  })
}
