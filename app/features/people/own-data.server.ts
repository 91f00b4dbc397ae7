import { and, eq, or, sql } from 'drizzle-orm'
import { eraseAccountContributions } from '#app/features/contributions/own/account-contributions.server.ts'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { eraseAccountSignUps } from '#app/features/events/signing-up/cancel-sign-up.server.ts'
import { eraseRecipient } from '#app/features/reports/views/own-report-views.server.ts'
import { eraseIdentityRequests } from '#app/features/identity/own-identity-requests.server.ts'
import { eraseAccountTexts } from '#app/features/sms/own-texts.server.ts'
import { eraseAccountResponses } from '#app/features/surveys/responses/erase-account-responses.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { memberships, users } from '#app/server/db/schema/accounts.ts'
import { mailAddresses, outboxMails } from '#app/server/db/schema/mail.ts'
import { emailFollows } from '#app/server/db/schema/updates.ts'
import { OWN_DATA } from './own-data.registry.server.ts'
import { requireOwnPassword } from '#app/features/accounts/passwords.server.ts'
import { lockUser, requireOwnAccount } from '#app/features/accounts/account-realm.server.ts'
import { changeSiteAdmins } from '#app/features/accounts/site-admins.server.ts'

/** Everything the site holds about the viewer, by section, as plain JSON. */
export async function readOwnData(ctx: Ctx): Promise<Record<string, unknown>> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  return db.tx(async (tx) => {
    await recordAudit(ctx, tx, { action: 'own-data.export', siteId, subject: { type: 'users', id: viewer.id } })
    const person = { siteId, userId: viewer.id, email: viewer.email }
    const sections: [string, unknown][] = []
    for (const section of OWN_DATA) sections.push([section.name, await section.read(ctx, tx, person)])
    return { site: ctx.site.name, readAt: ctx.now(), ...Object.fromEntries(sections) }
  })
}

/**
 * Deletes the viewer's own account permanently.
 * @throws {AppError} `wrong-password` at `/password`, `last-site-admin`, `conflict` for the last platform administrator
 */
export async function deleteOwnAccount(ctx: Ctx, input: { password: string }): Promise<void> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  await requireOwnPassword(ctx, input.password, '/password')
  await db.tx(async (tx) => {
    await eraseAccount(ctx, tx, siteId, viewer.id)
    await recordAudit(ctx, tx, { action: 'users.delete', siteId, subject: { type: 'users', id: viewer.id }, detail: { own: true } })
  })
}

/**
 * Deletes an account and everything personal to it: sessions, links, roles, follows, memberships, drafts, emails. Submitted responses are
 * kept without what identifies the person; what they posted in public is withdrawn.
 * @throws {AppError} `last-site-admin`, `conflict` for the last platform administrator
 */
export const eraseAccount = (ctx: Ctx, tx: Tx, siteId: string, userId: string): Promise<void> =>
  changeSiteAdmins(ctx, tx, siteId, () => eraseAccountRows(ctx, tx, siteId, userId))

/** Like `eraseAccount`, for callers that already run inside `changeSiteAdmins`. */
export async function eraseAccountRows(ctx: Ctx, tx: Tx, siteId: string, userId: string): Promise<void> {
  const { runtime } = ctx
  await lockUser(tx, siteId, userId)
  await requireOtherPlatformAdmin(tx, siteId, userId)
  const [user] = await tx
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.siteId, siteId), eq(users.id, userId)))
  await eraseAccountResponses(ctx, tx, siteId, userId)
  await eraseAccountSignUps(ctx, tx, siteId, userId)
  await eraseAccountTexts(ctx, tx, siteId, userId)
  await eraseAccountContributions(runtime.secret, tx, siteId, userId, runtime.now())
  if (user) {
    await eraseIdentityRequests(tx, { siteId, userId, email: user.email })
    await tx.delete(outboxMails).where(and(eq(outboxMails.siteId, siteId), isMailAbout(user.email)))
    await tx.delete(emailFollows).where(and(eq(emailFollows.siteId, siteId), eq(emailFollows.email, user.email)))
    await eraseRecipient(tx, siteId, user.email)
    await tx.delete(mailAddresses).where(and(eq(mailAddresses.siteId, siteId), eq(mailAddresses.address, user.email)))
  }
  await tx.delete(users).where(and(eq(users.siteId, siteId), eq(users.id, userId)))
}

/** To this address, or to others about it. */
const isMailAbout = (email: string) =>
  or(eq(outboxMails.recipient, email), sql`position(lower(${email}) in lower(${outboxMails.bodyText})) > 0`)

/** Someone must remain who can let others in. @throws {AppError} `conflict` */
export async function requireOtherPlatformAdmin(tx: Tx, siteId: string, leavingUserId: string): Promise<void> {
  const holders = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.siteId, siteId), eq(memberships.role, 'platform_admin')))
    .for('update')
  const isHolder = holders.some(({ userId }) => userId === leavingUserId)
  if (isHolder && holders.every(({ userId }) => userId === leavingUserId))
    throw new AppError('conflict', { detail: { key: 'last-platform-admin' } })
}
