import { and, eq, inArray } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import type { Ctx } from '#app/server/context.ts'
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

/** Ends the sessions that a logout at the provider names. */
export async function endNamedSessions(ctx: Ctx, tx: Tx, provider: { id: string; name: string }, whose: Whose): Promise<void> {
  for (const id of await endProviderSessions(tx, ctx.site.id, provider.id, whose))
    await recordAudit(ctx, tx, {
      action: 'sessions.delete',
      actor: { id, role: 'participant' },
      subject: { type: 'users', id },
      detail: { provider: provider.name },
    })
}
