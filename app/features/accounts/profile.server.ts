import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { listContentLanguages } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import { oneTimeLinks, users } from '#app/server/db/schema/accounts.ts'
import type { AccountView, ProfileInput } from './accounts.schema.ts'
import { recordMailConsent } from './mail-consents.server.ts'
import { lockUser, requireOwnAccount } from './account-realm.server.ts'

export async function readAccount(ctx: Ctx): Promise<AccountView> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  return db.read(async (tx) => {
    const [user] = await tx
      .select()
      .from(users)
      .where(and(eq(users.siteId, siteId), eq(users.id, viewer.id)))
    if (!user) throw new AppError('unauthenticated')
    const [pending] = await tx
      .select({ email: oneTimeLinks.email })
      .from(oneTimeLinks)
      .where(
        and(
          eq(oneTimeLinks.siteId, siteId),
          eq(oneTimeLinks.userId, viewer.id),
          eq(oneTimeLinks.purpose, 'change-email'),
          isNull(oneTimeLinks.usedAt),
          gt(oneTimeLinks.expiresAt, ctx.now()),
        ),
      )
      .orderBy(desc(oneTimeLinks.createdAt))
    return {
      id: user.id,
      email: user.email,
      login: user.login,
      locale: user.locale,
      confirmed: user.emailConfirmedAt !== null,
      pendingEmail: pending?.email ?? null,
      marketingConsent: user.marketingConsentAt !== null,
      followMails: user.followMails,
      createdAt: user.createdAt,
      roleName: viewer.roleName,
      hasSecondStep: viewer.hasSecondStep === true,
    }
  })
}

/** Updates the parts of the viewer's account that need no password. */
export async function updateProfile(ctx: Ctx, input: ProfileInput): Promise<void> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  if (input.locale !== undefined && !listContentLanguages(ctx.site).includes(input.locale))
    throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer: '/locale' }] })
  await db.tx(async (tx) => {
    const user = await lockUser(tx, siteId, viewer.id)
    const consented = input.marketingConsent ?? user.marketingConsentAt !== null
    const now = ctx.now()
    await tx
      .update(users)
      .set({
        login: input.login ?? user.login,
        locale: input.locale ?? user.locale,
        // Keep the time of consent: saving the same choice again must not change it.
        marketingConsentAt: consented ? (user.marketingConsentAt ?? now) : null,
      })
      .where(and(eq(users.siteId, siteId), eq(users.id, viewer.id)))
    if (consented === (user.marketingConsentAt !== null)) return
    await recordMailConsent(ctx, tx, { siteId, user, given: consented, language: ctx.language, source: 'account' })
    await recordAudit(ctx, tx, {
      action: consented ? 'consents.give' : 'consents.withdraw',
      siteId,
      subject: { type: 'users', id: viewer.id },
      detail: { to: 'marketing' },
    })
  })
}
