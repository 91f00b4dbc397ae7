import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Viewer } from '#app/server/auth/viewer.ts'
import { type Ctx, withTx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { authenticatorApps, passkeys, users } from '#app/server/db/schema/accounts.ts'
import { lockUser, type UserRow } from '../account-realm.server.ts'
import type { Person } from '../accounts.schema.ts'
import { loadPeopleById } from '../people.list.server.ts'
import { endAccountSessions } from '../sessions.server.ts'
import { turnOff } from './second-step.server.ts'

/** True if the viewer may turn off this person's two-step sign-in: site administrators, for others than themselves. */
export const canResetSecondStep = (viewer: Viewer, person: Pick<Person, 'id' | 'hasSecondStep'>): boolean =>
  person.hasSecondStep && viewer.kind === 'user' && viewer.id !== person.id && checkPermission(viewer, 'second-steps.reset').ok

/**
 * Turns off two-step sign-in for a person who lost their app and recovery codes. Ends all their sessions and tells them by email.
 * @throws {AppError} `forbidden`, also for the viewer's own; `fresh-sign-in-required`; `not-found`; `conflict` if it is off
 */
export async function resetPersonSecondStep(ctx: Ctx, userId: string): Promise<void> {
  requirePermission(ctx, 'second-steps.reset')
  if (ctx.viewer.kind === 'user' && ctx.viewer.id === userId) throw new AppError('forbidden')
  await ctx.db.tx(async (tx) => {
    const [person] = await loadPeopleById(withTx(ctx, tx), [userId])
    if (!person) throw new AppError('not-found')
    const user = await lockUser(tx, ctx.site.id, userId)
    if (!user.secondStepSince) throw new AppError('conflict')
    await removeSecondStep(ctx, tx, user, { method: 'all' })
  })
}

/**
 * The same for the command line. It checks no permission.
 * @returns false if nobody on the site has this address and two-step sign-in
 */
export async function resetSecondStep(ctx: Ctx, email: string): Promise<boolean> {
  const siteId = ctx.site.id
  return ctx.db.tx(async (tx) => {
    const [found] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.siteId, siteId), eq(users.email, email)))
    const user = found && (await lockUser(tx, siteId, found.id))
    if (!user?.secondStepSince) return false
    await removeSecondStep(ctx, tx, user, { method: 'all', byOperator: true })
    return true
  })
}

async function removeSecondStep(ctx: Ctx, tx: Tx, user: UserRow, detail: Record<string, unknown>): Promise<void> {
  const { siteId, id } = user
  for (const table of [authenticatorApps, passkeys]) await tx.delete(table).where(and(eq(table.siteId, siteId), eq(table.userId, id)))
  await turnOff(ctx, tx, user)
  await endAccountSessions(tx, siteId, id)
  await recordAudit(ctx, tx, { action: 'second-steps.delete', subject: { type: 'users', id }, detail })
}
