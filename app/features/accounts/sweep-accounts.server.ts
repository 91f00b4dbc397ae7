import { and, eq, lt } from 'drizzle-orm'
import type { Database } from '#app/server/db/client.ts'
import { oneTimeLinks, pendingSignIns, sessions } from '#app/server/db/schema/accounts.ts'
import { identityProviderTests, identityRequests, usedSignInKeys } from '#app/server/db/schema/identity.ts'
import { sites } from '#app/server/db/schema/sites.ts'
import { sweepLimits } from '#app/server/limits/limits.ts'
import { sweepOutbox } from '#app/server/mail/deliver.ts'

const RETENTION_DAYS = 30

/** Deletes expired sessions, sign-ins that were not finished, links, rate limits and old sent emails on every site. Run once a day. */
export async function sweepAccounts(database: Database, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - RETENTION_DAYS * 86_400_000)
  for (const { id } of await database.global.select({ id: sites.id }).from(sites)) {
    await sweepLimits(database, id, now)
    await sweepOutbox(database, id, now)
    await database.site(id).tx(async (tx) => {
      await tx.delete(sessions).where(and(eq(sessions.siteId, id), lt(sessions.expiresAt, now)))
      await tx.delete(pendingSignIns).where(and(eq(pendingSignIns.siteId, id), lt(pendingSignIns.expiresAt, now)))
      await tx.delete(oneTimeLinks).where(and(eq(oneTimeLinks.siteId, id), lt(oneTimeLinks.expiresAt, longAgo)))
      await tx.delete(usedSignInKeys).where(and(eq(usedSignInKeys.siteId, id), lt(usedSignInKeys.expiresAt, now)))
      await tx.delete(identityRequests).where(and(eq(identityRequests.siteId, id), lt(identityRequests.askedAt, longAgo)))
      await tx.delete(identityProviderTests).where(and(eq(identityProviderTests.siteId, id), lt(identityProviderTests.at, longAgo)))
    })
  }
}
