import { createHmac } from 'node:crypto'
import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { VerificationLevel } from '#app/lib/vocabulary/verifications.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { identities, identityProviders } from '#app/server/db/schema/identity.ts'
import { verifications } from '#app/server/db/schema/verifications.ts'
import { findYearFromNow, NO_ORIGIN, storeVerification } from './store-verification.server.ts'

type Provider = Pick<typeof identityProviders.$inferSelect, 'id' | 'state' | 'provesLevel'>

/** Whom a provider verifies: the same person after unlinking and linking again. */
const hashSubject = ({ runtime, site }: Ctx, providerId: string, subject: string): Buffer =>
  createHmac('sha256', runtime.secret).update(`identified/${site.id}/${providerId}/${subject}`).digest()

/** Verifies the holder of an identity who has just signed in with it, if their provider proves anything. It lasts a year from then. */
export async function verifyByProvider(ctx: Ctx, tx: Tx, provider: Provider, identity: { id: string; userId: string }): Promise<void> {
  const { provesLevel: level, state } = provider
  // Only a provider of residents has a level: the table holds that.
  if (!level || state !== 'active') return
  const validUntil = findYearFromNow(ctx)
  const renewed = await tx
    .update(verifications)
    .set({ level, validUntil })
    .where(and(eq(verifications.siteId, ctx.site.id), eq(verifications.identityId, identity.id)))
    .returning({ id: verifications.id })
  if (renewed.length > 0) return
  const [known] = await tx
    .select({ subject: identities.subject })
    .from(identities)
    .where(and(eq(identities.siteId, ctx.site.id), eq(identities.id, identity.id)))
  if (!known) return
  const subjectHash = hashSubject(ctx, provider.id, known.subject)
  const proof = { ...NO_ORIGIN, method: 'provider', level, validUntil, subjectHash, identityId: identity.id } as const
  await storeVerification(ctx, tx, { ...proof, userId: identity.userId, browserHash: null })
}

/** Ends all verifications made through a provider. People are verified again the next time they sign in with it. */
export async function endProviderVerifications(ctx: Ctx, tx: Tx, providerId: string): Promise<void> {
  const own = tx
    .select({ id: identities.id })
    .from(identities)
    .where(and(eq(identities.siteId, ctx.site.id), eq(identities.providerId, providerId)))
  await tx.delete(verifications).where(and(eq(verifications.siteId, ctx.site.id), inArray(verifications.identityId, own)))
}

/** Providers in use that prove something, for everybody to sign in with. */
export const listProvingProviders = (ctx: Ctx, tx: Tx): Promise<{ id: string; name: string; level: VerificationLevel | null }[]> =>
  tx
    .select({ id: identityProviders.id, name: identityProviders.name, level: identityProviders.provesLevel })
    .from(identityProviders)
    .where(and(eq(identityProviders.siteId, ctx.site.id), eq(identityProviders.state, 'active'), isNotNull(identityProviders.provesLevel)))
    .orderBy(asc(identityProviders.createdAt), asc(identityProviders.id))
