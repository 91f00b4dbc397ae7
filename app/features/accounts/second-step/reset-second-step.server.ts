import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { authenticatorApps, users } from '#app/server/db/schema/accounts.ts'
import { lockUser } from '../account-realm.server.ts'
import { endAccountSessions } from '../sessions.server.ts'
import { turnOff } from './second-step.server.ts'

/**
 * Turns off the two-step sign-in of somebody who lost their app and their recovery codes. Only for the person who runs the machine: it checks
 * no permission. All their sessions end, and they are told by email.
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
    await tx.delete(authenticatorApps).where(and(eq(authenticatorApps.siteId, siteId), eq(authenticatorApps.userId, user.id)))
    await turnOff(ctx, tx, user)
    await endAccountSessions(tx, siteId, user.id)
    const subject = { type: 'users', id: user.id }
    await recordAudit(ctx, tx, { action: 'second-steps.delete', subject, detail: { method: 'all', byOperator: true } })
    return true
  })
}
