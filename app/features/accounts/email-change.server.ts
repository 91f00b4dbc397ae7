import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { queueAccountMail } from './account-mails.server.ts'
import { CONFIRM_HOURS, revokeLinks, createOneTimeLink } from './one-time-links.server.ts'
import { requireOwnPassword } from './passwords.server.ts'
import { findUserByEmail, lockUser, requireOwnAccount, getRealmDb, type UserRow } from './account-realm.server.ts'

/**
 * Starts a change of email address. The new address takes effect once its emailed link is confirmed, and the current address is notified.
 * If the new address already has an account, its holder is notified instead, with the same response.
 */
export async function requestEmailChange(ctx: Ctx, input: { email: string; password: string }): Promise<void> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  await requireOwnPassword(ctx, input.password, '/password')
  if (input.email === viewer.email) throw new AppError('taken', { pointer: '/email' })
  await countAttempt(ctx, [{ name: 'change-email', of: viewer.id, most: 5, minutes: 60 }], siteId)
  const holder = siteId === PLATFORM_SITE_ID ? await findPlatformHolder(ctx, input.email) : await findUserByEmail(ctx, input.email)
  await db.tx(async (tx) => {
    const user = await lockUser(tx, siteId, viewer.id)
    const { email } = input
    const token = await createOneTimeLink(ctx, tx, { siteId, userId: user.id, purpose: 'change-email', email, hours: CONFIRM_HOURS })
    if (!holder) await queueAccountMail(ctx, tx, user, { kind: 'change-email', token, to: email })
    else if (holder.siteId === siteId) await queueAccountMail(ctx, tx, holder, { kind: 'email-in-use' })
    else await getRealmDb(ctx, holder.siteId).tx((other) => queueAccountMail(ctx, other, holder, { kind: 'email-in-use' }))
    await queueAccountMail(ctx, tx, user, { kind: 'email-change-asked' })
    await recordAudit(ctx, tx, { action: 'email-changes.create', siteId, subject: { type: 'users', id: viewer.id } })
  })
}

/** Cancels a pending change of email address. */
export async function cancelEmailChange(ctx: Ctx): Promise<void> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  await db.tx((tx) => revokeLinks(ctx, tx, siteId, viewer.id, ['change-email']))
}

async function findPlatformHolder(ctx: Ctx, email: string): Promise<UserRow | undefined> {
  const [holder] = await ctx.runtime.database.site(PLATFORM_SITE_ID).read((tx) =>
    tx
      .select()
      .from(users)
      .where(and(eq(users.siteId, PLATFORM_SITE_ID), eq(users.email, email))),
  )
  return holder
}
