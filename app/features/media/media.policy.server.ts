import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { SignedInViewer, Viewer } from '#app/server/auth/viewer.ts'

/** Anyone who may edit a project, a department's page or the whole site may use the library. */
export function canUseLibrary(viewer: Viewer): boolean {
  if (viewer.kind !== 'user') return false
  return viewer.roles.some(({ hubId, projectId }) => checkPermission(viewer, 'projects.edit', { hubId, projectId }).ok)
}

/** Changing or removing a picture affects every page that shows it: only its uploader and editors of the whole site may. */
export const canChangePicture = (viewer: Viewer, { createdBy }: { createdBy: string | null }): boolean =>
  checkPermission(viewer, 'site.edit').ok || (viewer.kind === 'user' && canUseLibrary(viewer) && createdBy === viewer.id)

/** @throws {AppError} `unauthenticated`, `forbidden` */
export function authorizeLibrary(viewer: Viewer): SignedInViewer {
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  if (!canUseLibrary(viewer)) throw new AppError('forbidden')
  return viewer
}
