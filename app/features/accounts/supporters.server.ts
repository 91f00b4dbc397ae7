import { and, asc, eq, gt, ne, type SQL } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { activities, contributions, reactions } from '#app/server/db/schema/contributions.ts'
import { projects } from '#app/server/db/schema/projects.ts'
import { hashAccount } from './account-hash.server.ts'

const PEOPLE_AT_ONCE = 10_000

interface SupporterSearch {
  activityId: string
  /** The activity's project must match it; otherwise nobody supports anything. */
  inScope: SQL | undefined
  /** Only whether this account does. */
  userId?: string | undefined
}

/**
 * Accounts that support a contribution to an activity, or agree with it. Reactions are stored by hash only, so every account's hash is
 * compared, which takes a second for a million accounts.
 */
export async function loadSupporters(ctx: Ctx, tx: Tx, { activityId, inScope, userId }: SupporterSearch): Promise<string[]> {
  const siteId = ctx.site.id
  const given = await tx
    .selectDistinct({ hash: reactions.personHash })
    .from(reactions)
    .innerJoin(contributions, and(eq(contributions.siteId, reactions.siteId), eq(contributions.id, reactions.contributionId)))
    .innerJoin(activities, and(eq(activities.siteId, contributions.siteId), eq(activities.id, contributions.activityId)))
    .innerJoin(projects, and(eq(projects.siteId, activities.siteId), eq(projects.id, activities.projectId)))
    .where(
      and(
        eq(reactions.siteId, siteId),
        eq(activities.id, activityId),
        eq(reactions.byAccount, true),
        ne(reactions.value, 'disagree'),
        inScope,
      ),
    )
  const hashes = new Set(given.map(({ hash }) => hash.toString('hex')))
  const isSupporter = (id: string) => hashes.has(hashAccount(ctx.runtime.secret, activityId, id).toString('hex'))
  if (userId !== undefined) return isSupporter(userId) ? [userId] : []
  const found: string[] = []
  for (let after: string | undefined; found.length < hashes.size;) {
    const people = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.siteId, siteId), after ? gt(users.id, after) : undefined))
      .orderBy(asc(users.id))
      .limit(PEOPLE_AT_ONCE)
    found.push(...people.map(({ id }) => id).filter(isSupporter))
    after = people.at(-1)?.id
    if (people.length < PEOPLE_AT_ONCE) break
  }
  return found
}
