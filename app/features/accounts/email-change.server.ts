import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { users } from '#app/server/db/schema.ts'
import { PLATFORM_SITE_ID } from '#app/server/db/tenancy.ts'
import { countAttempt } from '#app/server/limits/limits.ts'
import { mailTo } from './account-mails.server.ts'
import { CONFIRM_HOURS, endLinks, makeLink } from './links.server.ts'
import { confirmOwnPassword } from './passwords.server.ts'
import { findByEmail, lockedUser, ownAccount, realmDb, type UserRow } from './realm.server.ts'

/**
 * Asks for another address: it is used once it is confirmed with the link mailed to it; the present one is told. Where the new
 * address has an account already, its holder is told instead, and the answer is the same.
 */
export async function requestEmailChange(ctx: Ctx, input: { email: string; password: string }): Promise<void> {
  const { viewer, siteId, db } = ownAccount(ctx)
  await confirmOwnPassword(ctx, input.password, '/password')
  if (input.email === viewer.email) throw new AppError('taken', { pointer: '/email' })
  await countAttempt(ctx, [{ name: 'change-email', of: viewer.id, most: 5, minutes: 60 }], siteId)
  const holder = siteId === PLATFORM_SITE_ID ? await platformHolder(ctx, input.email) : await findByEmail(ctx, input.email)
  await db.tx(async (tx) => {
    const user = await lockedUser(tx, siteId, viewer.id)
    const { email } = input
    const token = await makeLink(ctx, tx, { siteId, userId: user.id, purpose: 'change-email', email, hours: CONFIRM_HOURS })
    if (!holder) await mailTo(ctx, tx, user, { kind: 'change-email', token, to: email })
    else if (holder.siteId === siteId) await mailTo(ctx, tx, holder, { kind: 'email-in-use' })
    else await realmDb(ctx, holder.siteId).tx((other) => mailTo(ctx, other, holder, { kind: 'email-in-use' }))
    await mailTo(ctx, tx, user, { kind: 'email-change-asked' })
    await recordAudit(ctx, tx, { action: 'email-changes.create', siteId, subject: { type: 'users', id: viewer.id } })
  })
}

/** Gives up a change of address that waits to be confirmed. */
export async function cancelEmailChange(ctx: Ctx): Promise<void> {
  const { viewer, siteId, db } = ownAccount(ctx)
  await db.tx((tx) => endLinks(ctx, tx, siteId, viewer.id, ['change-email']))
}

async function platformHolder(ctx: Ctx, email: string): Promise<UserRow | undefined> {
  const [holder] = await ctx.runtime.database.site(PLATFORM_SITE_ID).tx((tx) =>
    tx
      .select()
      .from(users)
      .where(and(eq(users.siteId, PLATFORM_SITE_ID), eq(users.email, email))),
  )
  return holder
}
