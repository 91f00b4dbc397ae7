import { and, eq, type SQL, sql } from 'drizzle-orm'
import { scopeWhere } from '#app/features/permissions/permissions.policy.server.ts'
import { parseProfileFilter } from '#app/features/profile-answers/profile-answers.schema.ts'
import { buildProfileCondition, isOptionSuppressed } from '#app/features/profile-answers/profile-answers.server.ts'
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
 * Matches contributions by people who chose the given option when asked about themselves. It covers only people whom the viewer manages, and
 * no sensitive questions. It matches nothing if so few people chose the option that they could be identified, or if their number would reveal
 * how many chose another option.
 * @param filter one option of one question, `age:65-74`; any other filter matches nothing
 */
export async function loadWrittenByCondition(ctx: Ctx, tx: Tx, filter: string): Promise<SQL> {
  const [match, ...others] = parseProfileFilter(filter) ?? []
  // `isOptionSuppressed` checks one option at a time.
  if (match?.options.length !== 1 || others.length > 0) return sql`false`
  const hubsOfPeople = scopeWhere(ctx.viewer, 'participants.manage', { hub: projects.hubId })
  const managed = hubsOfPeople && isInActivities(ctx, hubsOfPeople)
  const within = and(eq(contributions.siteId, ctx.site.id), buildModeratedScope(ctx), managed)
  const people = sql`select ${contributions.authorId} from ${contributions} where ${within} and ${contributions.authorId} is not null`
  const counted = await tx.execute<{ all: number }>(sql`select count(distinct author_id)::int as all from (${people}) authors`)
  const given = { siteId: ctx.site.id, now: ctx.now(), filter }
  if (await isOptionSuppressed(tx, { ...given, people, all: counted.rows[0]?.all ?? 0 })) return sql`false`
  const said = buildProfileCondition({ ...given, column: contributions.authorId, includesSensitive: false })
  return and(managed, said) ?? sql`false`
}
