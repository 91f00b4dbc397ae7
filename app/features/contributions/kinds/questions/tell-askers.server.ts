import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { reactions } from '#app/server/db/schema/contributions.ts'
import { mailJoinedAsker } from '../../moderation/decision-mails.server.ts'
import type { PlacedContribution } from '../../reading/loading.server.ts'

/**
 * Tells everybody who asks the same, with an account and a confirmed address, of the public answer: each of them once. The question must be
 * locked, so that two answers do not tell the same person.
 */
export async function tellJoinedAskers(ctx: Ctx, tx: Tx, placed: PlacedContribution): Promise<void> {
  const { contribution } = placed
  const joined = and(eq(reactions.siteId, ctx.site.id), eq(reactions.contributionId, contribution.id), isNotNull(reactions.tellUserId))
  const found = await tx
    .select({ id: users.id, email: users.email, locale: users.locale })
    .from(reactions)
    .innerJoin(users, and(eq(users.siteId, reactions.siteId), eq(users.id, reactions.tellUserId)))
    .where(and(joined, isNotNull(users.emailConfirmedAt), isNull(users.blockedAt)))
    .orderBy(users.id)
  const told = new Set<string>([contribution.authorId ?? ''])
  for (const user of found) {
    if (told.has(user.id)) continue
    told.add(user.id)
    await mailJoinedAsker(ctx, tx, placed, user)
  }
  await tx.update(reactions).set({ tellUserId: null }).where(joined)
}
