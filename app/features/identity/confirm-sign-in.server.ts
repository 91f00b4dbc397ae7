import { and, eq } from 'drizzle-orm'
import { lockUser } from '#app/features/accounts/account-realm.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { verifyByProvider } from '#app/features/verifications/provider-verifications.server.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { identityRequests } from '#app/server/db/schema/identity.ts'
import type { PendingSignIn } from './identity.schema.ts'
import { describeProvidedAnswers, storeProvidedAnswers } from './provided-answers.server.ts'
import { hashProof, type ProviderRow } from './providers.server.ts'
import { type Cookies, consumeSignInKey, createExpiredPendingCookie, type Pending, readPending } from './sign-in-cookies.server.ts'
import { SignInFault } from './sign-in-fault.server.ts'
import { requireProvider } from './usable-providers.server.ts'
import { chooseNextPath, findIdentity, openProviderSession, type SignInStep } from './sign-in.server.ts'
import { createProviderAccount, linkIdentity } from './unknown-subjects.server.ts'

/** What this browser's user has to confirm; null if there is nothing, or not any more. */
export async function loadPendingSignIn(ctx: Ctx, cookies: Cookies): Promise<PendingSignIn | null> {
  const pending = readPending(ctx, cookies)
  if (!pending) return null
  const { name: provider } = await requireProvider(ctx, pending.provider)
  const answers = await ctx.db.read((tx) => describeProvidedAnswers(ctx, tx, pending.answers))
  return { kind: pending.kind, provider, email: pending.email, name: pending.name, answers }
}

/**
 * Links or creates what was confirmed, and signs in unless the person is.
 * @param keepsAnswers whether the person wants to keep what the provider says about them
 * @throws {SignInFault}
 */
export async function confirmSignIn(ctx: Ctx, cookies: Cookies, { keepsAnswers }: { keepsAnswers: boolean }): Promise<SignInStep> {
  const pending = readPending(ctx, cookies)
  if (!pending) throw new SignInFault('started-elsewhere', 'nothing to confirm in this browser')
  const row = await requireProvider(ctx, pending.provider)
  requireSamePerson(ctx, pending)
  // The provider was asked for what the former settings needed.
  if (hashProof(row) !== pending.proof) throw new SignInFault('started-elsewhere', 'what it proves was changed meanwhile')
  return ctx.db.tx(async (tx) => {
    await consumeSignInKey(ctx, tx, `pending ${pending.provider} ${pending.subject} ${pending.until}`, new Date(pending.until))
    const identity = await findOrLinkIdentity(ctx, tx, row, pending)
    if (keepsAnswers) await storeProvidedAnswers(ctx, tx, identity.userId, pending.answers)
    const done = { cookies: [createExpiredPendingCookie(ctx)] }
    if (pending.kind === 'link') {
      await verifyByProvider(ctx, tx, row, identity)
      return { ...done, location: pending.next ?? '/account/sign-in-methods?done=linked' }
    }
    const { email, groups, session } = pending
    return {
      ...done,
      location: chooseNextPath({ next: pending.next, language: ctx.language }),
      session: await openProviderSession(ctx, tx, row, identity, { email: email ?? undefined, groups, session: session ?? undefined }),
    }
  })
}

function requireSamePerson({ viewer }: Ctx, { kind, userId }: Pending): void {
  if (kind === 'link' && (viewer.kind === 'visitor' || viewer.id !== userId))
    throw new SignInFault('started-elsewhere', 'somebody else is signed in meanwhile')
}

async function findOrLinkIdentity(ctx: Ctx, tx: Tx, row: ProviderRow, pending: Pending): Promise<{ id: string; userId: string }> {
  const known = await findIdentity(ctx, tx, row.id, pending.subject)
  if (known) {
    if (pending.userId !== null && known.userId !== pending.userId) throw new SignInFault('linked-to-other', 'linked meanwhile')
    return known
  }
  const userId = pending.userId ?? (await createOwnAccount(ctx, tx, pending))
  await requireSameAddress(ctx, tx, { ...pending, userId })
  const id = await linkIdentity(ctx, tx, { ...pending, providerId: row.id, userId })
  // A request of before is answered by this.
  await tx
    .delete(identityRequests)
    .where(
      and(eq(identityRequests.siteId, ctx.site.id), eq(identityRequests.providerId, row.id), eq(identityRequests.subject, pending.subject)),
    )
  await recordAudit(ctx, tx, {
    action: 'identities.link',
    actor: { id: userId, role: ctx.viewer.kind === 'user' ? ctx.viewer.roleName : 'participant' },
    subject: { type: 'users', id: userId },
    detail: { provider: row.name, how: pending.kind },
  })
  return { id, userId }
}

/** The address may have changed hands since the provider was asked. */
async function requireSameAddress(ctx: Ctx, tx: Tx, { kind, userId, email }: Pending & { userId: string }): Promise<void> {
  if (kind !== 'adopt') return
  const user = await lockUser(tx, ctx.site.id, userId)
  if (user.email !== email || user.emailConfirmedAt === null) throw new SignInFault('linked-to-other', 'the address is not theirs any more')
}

async function createOwnAccount(ctx: Ctx, tx: Tx, { email, name }: Pending): Promise<string> {
  const user = await createProviderAccount(ctx, tx, { email, name, isProven: true, language: ctx.language })
  if (!user) throw new SignInFault('linked-to-other', 'the address has an account meanwhile')
  await recordAudit(ctx, tx, {
    action: 'users.create',
    actor: { id: user.id, role: 'participant' },
    subject: { type: 'users', id: user.id },
  })
  return user.id
}
