import { and, eq, type SQL, sql } from 'drizzle-orm'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { loadOptionCondition } from '#app/features/profile-answers/profile-answers.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { isInActivities } from './activities.policy.server.ts'

/** Matches contributions that the viewer may moderate; undefined if these are all. */
export function buildModeratedScope(ctx: Ctx): SQL | undefined {
  const scope = scopeWhere(ctx.viewer, 'contributions.moderate', { hub: projects.hubId, project: projects.id })
  return scope && isInActivities(ctx, scope)
}

/**
 * Matches contributions by people who chose the given option when asked about themselves, as `loadOptionCondition` does: only by people
 * that the viewer manages.
 */
export async function loadWrittenByCondition(ctx: Ctx, tx: Tx, filter: string): Promise<SQL> {
  const hubsOfPeople = scopeWhere(ctx.viewer, 'participants.manage', { hub: projects.hubId })
  const managed = hubsOfPeople && isInActivities(ctx, hubsOfPeople)
  const within = and(eq(contributions.siteId, ctx.site.id), buildModeratedScope(ctx), managed)
  const column = contributions.authorId
  const people = sql`select ${column} from ${contributions} where ${within} and ${column} is not null`
  const said = await loadOptionCondition(tx, { siteId: ctx.site.id, now: ctx.now(), filter, column, people })
  return and(managed, said) ?? sql`false`
}
