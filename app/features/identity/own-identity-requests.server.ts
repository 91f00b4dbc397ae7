import { and, asc, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#app/server/db/client.ts'
import { identities, identityRequests } from '#app/server/db/schema/identity.ts'

interface Requester {
  siteId: string
  userId: string
  email: string
}

/** Requests for access with the person's address, or from a provider's account that is theirs. */
function isRequestOf({ siteId, userId, email }: Requester): SQL | undefined {
  const isTheirs = sql`exists (select from ${identities} where ${identities.siteId} = ${identityRequests.siteId}
    and ${identities.providerId} = ${identityRequests.providerId} and ${identities.subject} = ${identityRequests.subject}
    and ${identities.userId} = ${userId})`
  return and(eq(identityRequests.siteId, siteId), or(sql`lower(${identityRequests.email}) = lower(${email})`, isTheirs))
}

export const readOwnIdentityRequests = (tx: Tx, person: Requester) =>
  tx
    .select({
      subject: identityRequests.subject,
      email: identityRequests.email,
      name: identityRequests.name,
      askedAt: identityRequests.askedAt,
    })
    .from(identityRequests)
    .where(isRequestOf(person))
    .orderBy(asc(identityRequests.askedAt))

/** Call it before the account goes. */
export async function eraseIdentityRequests(tx: Tx, person: Requester): Promise<void> {
  await tx.delete(identityRequests).where(isRequestOf(person))
}
