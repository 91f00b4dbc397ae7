import { and, eq } from 'drizzle-orm'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Action } from '#app/features/permissions/permissions.schema.ts'
import { knownWhere, projectColumns, type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { projects } from '#app/server/db/schema/projects.ts'

/**
 * The project that themes and decisions belong to. Coding takes `responses.see`, because whoever codes reads what people wrote; decisions
 * take `projects.edit`, and publishing them `projects.publish`.
 * @throws {AppError} `not-found` if the viewer may not know of it; `unauthenticated`, `forbidden`
 */
export async function requireProjectFor(
  ctx: Ctx,
  tx: Tx,
  action: Extract<Action, 'responses.see' | 'projects.edit' | 'projects.publish'>,
  projectId: string,
): Promise<ProjectRow> {
  const [project] = await tx
    .select(projectColumns)
    .from(projects)
    .where(and(knownWhere(ctx), eq(projects.id, projectId)))
  if (!project) throw new AppError('not-found')
  const { only } = requirePermission(ctx, action, toPermissionTarget(project))
  if (only) throw new AppError('forbidden')
  return project
}
