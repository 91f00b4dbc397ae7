import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { sessions } from '#app/server/db/schema/accounts.ts'
import { identities } from '#app/server/db/schema/identity.ts'

/** Which of a provider's sessions: all, those of one subject, those of one session there. */
interface Whose {
  subject?: string | undefined
  session?: string | undefined
}

/** Ends sessions that people opened through a provider. @returns whose they were */
export async function endProviderSessions(tx: Tx, siteId: string, providerId: string, { subject, session }: Whose = {}): Promise<string[]> {
  const named = tx
    .select({ id: identities.id })
    .from(identities)
    .where(
      and(
        eq(identities.siteId, siteId),
        eq(identities.providerId, providerId),
        subject === undefined ? undefined : eq(identities.subject, subject),
      ),
    )
  const ended = await tx
    .delete(sessions)
    .where(
      and(
        eq(sessions.siteId, siteId),
        inArray(sessions.identityId, named),
        session === undefined ? undefined : eq(sessions.providerSession, session),
      ),
    )
    .returning({ userId: sessions.userId })
  return [...new Set(ended.map(({ userId }) => userId))]
}
