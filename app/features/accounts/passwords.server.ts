import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { withMinimumDuration } from '#app/lib/minimum-duration.ts'
import { hashPassword, verifyPassword } from '#app/server/auth/passwords.ts'
import type { Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { mailAddresses } from '#app/server/db/schema/mail.ts'
import { limitGuesses } from '#app/server/limits/guesses.ts'
import { countAttempt, takeBackAttempt } from '#app/server/limits/limits.ts'
import { limitMails } from '#app/server/limits/mails.ts'
import { queueAccountMail } from './account-mails.server.ts'
import type { PasswordReset } from './accounts.schema.ts'
import { revokeLinks, requireLink, type LinkRow, createOneTimeLink, RESET_HOURS, consumeLink } from './one-time-links.server.ts'
import { findUserByEmail, loadHighestRole, lockUser, requireOwnAccount, getRealmDb, type UserRow } from './account-realm.server.ts'
import { endAccountSessions, resetGuessLimits } from './sessions.server.ts'
import { requireStrongPassword } from './strong-password.server.ts'

const MIN_RESPONSE_MS = 150

/** Emails a password reset link if the account exists; the response is the same if it does not. */
export async function requestPasswordReset(ctx: Ctx, input: { email: string }): Promise<void> {
  await countAttempt(ctx, limitMails(ctx, 'forgot-password', input.email))
  await withMinimumDuration(MIN_RESPONSE_MS, async () => {
    const user = await findUserByEmail(ctx, input.email)
    const siteId = user?.siteId ?? ctx.site.id
    await getRealmDb(ctx, siteId).tx(async (tx) => {
      const subject = user ? { subject: { type: 'users', id: user.id } } : {}
      await recordAudit(ctx, tx, { action: 'password-resets.create', siteId, ...subject })
      if (!user || user.blockedAt) return
      const token = await createOneTimeLink(ctx, tx, {
        siteId,
        userId: user.id,
        purpose: 'reset-password',
        email: user.email,
        hours: RESET_HOURS,
      })
      await queueAccountMail(ctx, tx, user, { kind: 'reset-password', token })
    })
  })
}

/** Reads a reset link without using it up. @throws {AppError} `link-expired` */
export async function loadPasswordReset(ctx: Ctx, token: string): Promise<PasswordReset> {
  const { user } = await requireResetLink(ctx, token)
  return { email: user.email, invited: user.passwordHash === null }
}

/**
 * Sets a new password by an emailed link, which also confirms the address. Ends all sessions, including this one, and clears the count of
 * wrong guesses.
 * @param input.login name of an invited person, who has not chosen one yet; ignored for accounts that had a password
 * @returns whose password it is, and whether they have a role
 * @throws {AppError} `link-expired`, `invalid` at `/password`
 */
export async function resetPassword(
  ctx: Ctx,
  input: { token: string; password: string; login?: string | undefined },
): Promise<{ siteId: string; id: string; isAdministrator: boolean }> {
  const { link, user } = await requireResetLink(ctx, input.token)
  const { siteId } = user
  const passwordHash = await hashAcceptablePassword(ctx, user, input.password)
  const isAdministrator = await getRealmDb(ctx, siteId).tx(async (tx) => {
    await consumeLink(ctx, tx, link)
    const current = await lockUser(tx, siteId, user.id)
    await tx
      .update(users)
      .set({
        passwordHash,
        emailConfirmedAt: current.emailConfirmedAt ?? ctx.now(),
        ...(input.login && current.passwordHash === null && { login: input.login }),
      })
      .where(and(eq(users.siteId, siteId), eq(users.id, user.id)))
    await endAccountSessions(tx, siteId, user.id)
    await revokeLinks(ctx, tx, siteId, user.id, ['reset-password', 'change-email', 'confirm-email'])
    // The link was opened, so the address can receive email again: clear its failures.
    await tx.delete(mailAddresses).where(and(eq(mailAddresses.siteId, siteId), eq(mailAddresses.address, current.email)))
    await queueAccountMail(ctx, tx, current, { kind: 'password-changed' })
    await recordAudit(ctx, tx, { action: 'users.reset-password', siteId, subject: { type: 'users', id: user.id } })
    return (await loadHighestRole(tx, siteId, user.id)) !== 'participant'
  })
  await resetGuessLimits(ctx, user)
  await takeBackAttempt(ctx, limitMails(ctx, 'forgot-password', user.email))
  return { siteId, id: user.id, isAdministrator }
}

/** Changes the viewer's password; requires the current one. Ends all other sessions. @throws {AppError} `wrong-password`, `invalid` */
export async function changePassword(ctx: Ctx, input: { currentPassword: string; password: string }): Promise<void> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  const user = await requireOwnPassword(ctx, input.currentPassword, '/currentPassword')
  const passwordHash = await hashAcceptablePassword(ctx, user, input.password)
  await db.tx(async (tx) => {
    const current = await lockUser(tx, siteId, viewer.id)
    if (current.passwordHash !== user.passwordHash) throw new AppError('wrong-password', { pointer: '/currentPassword' })
    await tx
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.siteId, siteId), eq(users.id, viewer.id)))
    await endAccountSessions(tx, siteId, viewer.id, viewer.sessionId)
    await revokeLinks(ctx, tx, siteId, viewer.id, ['reset-password', 'change-email'])
    await queueAccountMail(ctx, tx, current, { kind: 'password-changed' })
    await recordAudit(ctx, tx, { action: 'users.change-password', siteId, subject: { type: 'users', id: viewer.id } })
  })
}

/**
 * Re-checks the viewer's password before actions that a stolen session must not perform.
 * @param pointer field where the password was typed
 * @throws {AppError} `wrong-password` at that field, `too-many-requests`
 */
export async function requireOwnPassword(ctx: Ctx, password: string, pointer: string): Promise<UserRow> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  const limits = [
    { name: 'own-password/session', of: viewer.sessionId, free: 5, minutes: 60, siteId },
    { name: 'own-password', of: viewer.id, free: 20, minutes: 60, siteId },
  ]
  return limitGuesses(ctx, limits, async () => {
    const [user] = await db.read((tx) =>
      tx
        .select()
        .from(users)
        .where(and(eq(users.siteId, siteId), eq(users.id, viewer.id))),
    )
    if (!(await verifyPassword(password, user?.passwordHash)) || !user) throw new AppError('wrong-password', { pointer })
    return user
  })
}

/** Hashes a new password if it is strong enough. @throws {AppError} `invalid` at `/password` */
async function hashAcceptablePassword(ctx: Ctx, user: UserRow, password: string): Promise<string> {
  await requireStrongPassword(ctx, password, user)
  return hashPassword(password)
}

async function requireResetLink(ctx: Ctx, token: string): Promise<{ link: LinkRow; user: UserRow }> {
  const link = await requireLink(ctx, token, ['reset-password'])
  const [user] = await getRealmDb(ctx, link.siteId).read((tx) =>
    tx
      .select()
      .from(users)
      .where(and(eq(users.siteId, link.siteId), eq(users.id, link.userId ?? link.id))),
  )
  // The account must still have the address that the link was sent to: a mailbox it no longer uses must not give access.
  if (!user || user.email !== link.email || user.blockedAt) throw new AppError('link-expired')
  return { link, user }
}
