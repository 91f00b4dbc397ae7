import { listPermittedPeople as listPeople } from '#app/features/permissions/permitted-people.server.ts'
import type { Action } from '#app/features/permissions/permissions.schema.ts'
import { type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'

/** The people of a site who may do something in a project. */
export const listPermittedPeople = (
  ctx: Ctx,
  tx: Tx,
  action: Action,
  project: Pick<ProjectRow, 'id' | 'hubId' | 'publishedAt'>,
): Promise<{ id: string; name: string }[]> => listPeople(ctx, tx, action, toPermissionTarget(project))
