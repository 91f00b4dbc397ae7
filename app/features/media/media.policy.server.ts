import { decide } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { SignedIn, Viewer } from '#app/server/auth/viewer.ts'

/** The library is of those who edit something of the site: a project, a department's page, or all of it. */
export function mayUseLibrary(viewer: Viewer): boolean {
  if (viewer.kind !== 'user') return false
  return viewer.roles.some(({ hubId, projectId }) => decide(viewer, 'projects.edit', { hubId, projectId }).ok)
}

/** Changing and removing a picture shows everywhere: it is for who uploaded it, and for those who edit the whole site. */
export const mayChangePicture = (viewer: Viewer, { createdBy }: { createdBy: string | null }): boolean =>
  decide(viewer, 'site.edit').ok || (viewer.kind === 'user' && mayUseLibrary(viewer) && createdBy === viewer.id)

/** @throws {AppError} `unauthenticated`, `forbidden` */
export function authorizeLibrary(viewer: Viewer): SignedIn {
  if (viewer.kind !== 'user') throw new AppError('unauthenticated')
  if (!mayUseLibrary(viewer)) throw new AppError('forbidden')
  return viewer
}
