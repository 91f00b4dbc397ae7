import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Action } from '#app/features/permissions/permissions.schema.ts'
import { type ProjectRow, toPermissionTarget } from '#app/features/projects/projects.policy.server.ts'
import { highestRole } from '#app/lib/roles.ts'
import { createSampleParticipant, type HeldRole } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'

/** The people of a site who may do something in a project. The table of permissions decides, with each person's roles. */
export async function listPermittedPeople(
  { site, language }: Ctx,
  tx: Tx,
  action: Action,
  project: Pick<ProjectRow, 'id' | 'hubId' | 'publishedAt'>,
): Promise<{ id: string; name: string }[]> {
  const roles = sql<HeldRole[]>`jsonb_agg(jsonb_build_object('role', ${memberships.role}, 'hubId', ${memberships.hubId},
    'projectId', ${memberships.projectId}, 'mayExportPersonalData', ${memberships.mayExportPersonalData}))`
  const found = await tx
    .select({ id: users.id, name: users.login, roles })
    .from(users)
    .innerJoin(memberships, and(eq(memberships.siteId, users.siteId), eq(memberships.userId, users.id)))
    .where(and(eq(users.siteId, site.id), isNull(users.blockedAt)))
    .groupBy(users.id, users.login)
    .orderBy(asc(collateFor(language, users.login)), asc(users.id))
  const place = toPermissionTarget(project)
  return found.flatMap(({ id, name, roles: held }) => {
    const person = {
      ...createSampleParticipant(),
      id,
      siteId: site.id,
      roles: held,
      roleName: highestRole(held.map(({ role }) => role)) ?? ('participant' as const),
    }
    return checkPermission(person, action, place).ok ? [{ id, name }] : []
  })
}
