import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { SignedInViewer, Viewer } from '#app/server/auth/viewer.ts'

/** The library is of those who edit something of the site: a project, a department's page, or all of it. */
export function canUseLibrary(viewer: Viewer): boolean {
  if (viewer.kind !== 'user') return false
  return viewer.roles.some(({ hubId, projectId }) => checkPermission(viewer, 'projects.edit', { hubId, projectId }).ok)
}

/** Changing and removing a picture shows everywhere: it is for who uploaded it, and for those who edit the whole site. */
export const canChangePicture = (viewer: Viewer, { createdBy }: { createdBy: string | null }): boolean =>
  checkPermission(viewer, 'site.edit').ok || (viewer.kind === 'user' && canUseLibrary(viewer) && createdBy === viewer.id)

/** @throws {AppError} `unauthenticated`, `forbidden` */
export function authorizeLibrary(viewer: Viewer): SignedInViewer {
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  if (!canUseLibrary(viewer)) throw new AppError('forbidden')
  return viewer
}
