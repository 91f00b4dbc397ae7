import { and, asc, eq, ilike, isNull, type SQL, sql } from 'drizzle-orm'
import { toLikePattern } from '#app/lib/like-pattern.ts'
import { highestRole } from '#app/lib/roles.ts'
import { createSampleParticipant, type HeldRole } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { collateFor } from '#app/server/db/collation.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { checkPermission, type Decision, type PermissionTarget } from './permissions.policy.server.ts'
import type { Action } from './permissions.schema.ts'

export interface PermittedPerson {
  id: string
  name: string
  /** What they may only do of it: ask for a review, say. */
  only?: (Decision & { ok: true })['only']
}

/**
 * The people of a site who may do something at a place, by name. The table of permissions decides, with each person's roles.
 * @param words only those whose name contains them
 */
export async function listPermittedPeople(
  { site, language }: Ctx,
  tx: Tx,
  action: Action,
  place: PermissionTarget,
  words = '',
): Promise<PermittedPerson[]> {
  const roles = sql<HeldRole[]>`jsonb_agg(jsonb_build_object('role', ${memberships.role}, 'hubId', ${memberships.hubId},
    'projectId', ${memberships.projectId}, 'mayExportPersonalData', ${memberships.mayExportPersonalData}))`
  const named: SQL | undefined = words === '' ? undefined : ilike(users.login, toLikePattern(words))
  const found = await tx
    .select({ id: users.id, name: users.login, roles })
    .from(users)
    .innerJoin(memberships, and(eq(memberships.siteId, users.siteId), eq(memberships.userId, users.id)))
    .where(and(eq(users.siteId, site.id), isNull(users.blockedAt), named))
    .groupBy(users.id, users.login)
    .orderBy(asc(collateFor(language, users.login)), asc(users.id))
  return found.flatMap(({ id, name, roles: held }) => {
    const person = {
      ...createSampleParticipant(),
      id,
      siteId: site.id,
      roles: held,
      roleName: highestRole(held.map(({ role }) => role)) ?? ('participant' as const),
    }
    const decision = checkPermission(person, action, place)
    return decision.ok ? [{ id, name, ...(decision.only && { only: decision.only }) }] : []
  })
}
