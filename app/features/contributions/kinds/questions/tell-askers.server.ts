import { and, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { contributions, reactions } from '#app/server/db/schema/contributions.ts'
import { selectTree } from '../../merging/support-counts.server.ts'
import { mailJoinedAsker } from '../../moderation/decision-mails.server.ts'
import type { PlacedContribution } from '../../reading/loading.server.ts'

/**
 * Tells everybody who asks the same, with an account and a confirmed address, of the public answer: each of them once. Those who joined a
 * question that was merged into this one, and its author, ask the same too. The question must be locked, so that two answers do not tell
 * the same person.
 */
export async function tellJoinedAskers(ctx: Ctx, tx: Tx, placed: PlacedContribution): Promise<void> {
  const { contribution } = placed
  const siteId = ctx.site.id
  const tree = selectTree(siteId, contribution.id)
  const joined = and(eq(reactions.siteId, siteId), sql`${reactions.contributionId} in ${tree}`, isNotNull(reactions.tellUserId))
  const people = tx.select({ id: reactions.tellUserId }).from(reactions).where(joined)
  const authors = tx
    .select({ id: contributions.authorId })
    .from(contributions)
    .where(and(eq(contributions.siteId, siteId), sql`${contributions.id} in ${tree}`, isNotNull(contributions.authorId)))
  const found = await tx
    .select({ id: users.id, email: users.email, locale: users.locale })
    .from(users)
    .where(
      and(
        eq(users.siteId, siteId),
        or(inArray(users.id, people), inArray(users.id, authors)),
        isNotNull(users.emailConfirmedAt),
        isNull(users.blockedAt),
      ),
    )
    .orderBy(users.id)
  const told = new Set<string>([contribution.authorId ?? ''])
  for (const user of found) {
    if (told.has(user.id)) continue
    told.add(user.id)
    await mailJoinedAsker(ctx, tx, placed, user)
  }
  await tx.update(reactions).set({ tellUserId: null }).where(joined)
}
