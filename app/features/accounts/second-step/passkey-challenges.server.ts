import { and, eq, gt, lte, sql } from 'drizzle-orm'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { passkeyChallenges } from '#app/server/db/schema/accounts.ts'
import { getRealmDb } from '../account-realm.server.ts'

const CHALLENGE_MINUTES = 5

export interface ChallengeHolder {
  siteId: string
  userId: string
  /** The session or pending sign-in that may answer the challenge. */
  boundTo: string
  purpose: 'add' | 'use'
}

/** Stores what a passkey was asked to sign. Replaces the holder's former challenge for the same purpose. */
export async function storeChallenge(ctx: Ctx, holder: ChallengeHolder, challenge: string): Promise<void> {
  const { siteId, userId } = holder
  const now = ctx.now()
  const expiresAt = new Date(now.getTime() + CHALLENGE_MINUTES * 60_000)
  await getRealmDb(ctx, siteId).tx(async (tx) => {
    const isOwn = and(eq(passkeyChallenges.siteId, siteId), eq(passkeyChallenges.userId, userId))
    await tx.delete(passkeyChallenges).where(and(isOwn, lte(passkeyChallenges.expiresAt, now)))
    await tx
      .insert(passkeyChallenges)
      .values({ ...holder, id: createId(), challenge, expiresAt })
      .onConflictDoUpdate({
        target: [passkeyChallenges.siteId, passkeyChallenges.boundTo, passkeyChallenges.purpose],
        set: { challenge: sql`excluded.challenge`, expiresAt: sql`excluded.expires_at` },
      })
  })
}

/** Uses up the holder's challenge, in its own transaction: a wrong answer uses it up as well. */
export async function consumeChallenge(ctx: Ctx, { siteId, userId, boundTo, purpose }: ChallengeHolder): Promise<string | undefined> {
  const [consumed] = await getRealmDb(ctx, siteId).tx((tx) =>
    tx
      .delete(passkeyChallenges)
      .where(
        and(
          eq(passkeyChallenges.siteId, siteId),
          eq(passkeyChallenges.userId, userId),
          eq(passkeyChallenges.boundTo, boundTo),
          eq(passkeyChallenges.purpose, purpose),
          gt(passkeyChallenges.expiresAt, ctx.now()),
        ),
      )
      .returning({ challenge: passkeyChallenges.challenge }),
  )
  return consumed?.challenge
}
