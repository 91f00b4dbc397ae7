import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { queueAccountMail } from '#app/features/accounts/account-mails.server.ts'
import type { Person } from '#app/features/accounts/accounts.schema.ts'
import { revokeLinks } from '#app/features/accounts/one-time-links.server.ts'
import { eraseAccount } from './own-data.server.ts'
import { requirePeopleManager, loadPeopleById } from '#app/features/accounts/people.list.server.ts'
import { lockUser } from '#app/features/accounts/account-realm.server.ts'
import { endAccountSessions } from '#app/features/accounts/sessions.server.ts'
import { changeSiteAdmins } from '#app/features/accounts/site-admins.server.ts'

/** True if the viewer may block this person. Nobody can block themselves; only site administrators can block an administrator. */
export const canBlock = (viewer: Viewer, person: Pick<Person, 'id' | 'type'>): boolean =>
  viewer.kind === 'user' &&
  viewer.id !== person.id &&
  viewer.roles.some(({ role }) => role === 'site_admin' || (role === 'hub_admin' && person.type === 'participant'))

/**
 * Blocks a person, who learns the reason. All their sessions and links end at once.
 * @throws {AppError} `not-found` if the viewer does not manage them, `forbidden`, `last-site-admin`
 */
export async function blockPerson(ctx: Ctx, userId: string, input: { reason: string }): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await requireManagedPerson(ctx, tx, userId)
    const user = await changeSiteAdmins(ctx, tx, ctx.site.id, async () => {
      const person = await lockUser(tx, ctx.site.id, userId)
      await updateUser(tx, person, { blockedAt: person.blockedAt ?? ctx.now(), blockedReason: input.reason })
      return person
    })
    await endAccountSessions(tx, user.siteId, userId)
    await revokeLinks(ctx, tx, user.siteId, userId, ['confirm-email', 'reset-password', 'change-email'])
    if (!user.blockedAt) await queueAccountMail(ctx, tx, user, { kind: 'account-blocked', reason: input.reason })
    await recordAudit(ctx, tx, { action: 'users.block', subject: { type: 'users', id: userId }, detail: { reason: input.reason } })
  })
}

/** Unblocks a person. */
export async function unblockPerson(ctx: Ctx, userId: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    await requireManagedPerson(ctx, tx, userId)
    const user = await lockUser(tx, ctx.site.id, userId)
    if (!user.blockedAt) return
    await updateUser(tx, user, { blockedAt: null, blockedReason: null })
    await recordAudit(ctx, tx, { action: 'users.unblock', subject: { type: 'users', id: userId } })
  })
}

/**
 * Deletes a person permanently and anonymises their responses, as if they had deleted the account themselves.
 * @throws {AppError} `forbidden`, `not-found`, `last-site-admin`
 */
export async function erasePerson(ctx: Ctx, input: { userId: string; reason: string }): Promise<void> {
  requirePermission(ctx, 'participants.erase')
  await ctx.db.tx(async (tx) => {
    await requireManagedPerson(ctx, tx, input.userId)
    await eraseAccount(ctx, tx, ctx.site.id, input.userId)
    const subject = { type: 'users', id: input.userId }
    await recordAudit(ctx, tx, { action: 'users.erase', subject, detail: { reason: input.reason } })
  })
}

/** Loads a person the viewer manages and may block. */
async function requireManagedPerson(ctx: Ctx, tx: Tx, userId: string): Promise<Person> {
  requirePeopleManager(ctx.viewer)
  const [person] = await loadPeopleById(withTx(ctx, tx), [userId])
  if (!person) throw new AppError('not-found')
  if (!canBlock(ctx.viewer, person)) throw new AppError('forbidden')
  return person
}

const updateUser = (tx: Tx, user: typeof users.$inferSelect, values: Partial<typeof users.$inferInsert>) =>
  tx
    .update(users)
    .set(values)
    .where(and(eq(users.siteId, user.siteId), eq(users.id, user.id)))
