import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { sessions } from '#app/server/db/schema/accounts.ts'
import { lockUser, requireOwnAccount } from '../account-realm.server.ts'
import { requireOwnPassword } from '../passwords.server.ts'
import { limitSecondStep, requireSecondStep } from './check-second-step.server.ts'

/**
 * Proves again who the viewer is: by a code if they have two-step sign-in, else by the password. For the next minutes the session may do
 * what `requireFreshSignIn` guards.
 * @throws {AppError} `wrong-second-step` at `/code`, `wrong-password` at `/password`, `invalid` if the one that counts is missing
 */
export async function confirmIdentity(ctx: Ctx, input: { password?: string | undefined; code?: string | undefined }): Promise<void> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  const { password, code } = input
  const due = viewer.hasSecondStep ? 'code' : 'password'
  if (!input[due]) throw new AppError('invalid', { faults: [{ code: 'required', pointer: `/${due}` }] })
  if (due === 'password') {
    await requireOwnPassword(ctx, password ?? '', '/password')
    return db.tx((tx) => noteConfirmation(ctx, tx))
  }
  await limitSecondStep(ctx, { siteId, id: viewer.id }, () =>
    db.tx(async (tx) => {
      await requireSecondStep(ctx, tx, await lockUser(tx, siteId, viewer.id), { code: code ?? '' })
      await noteConfirmation(ctx, tx)
    }),
  )
}

async function noteConfirmation(ctx: Ctx, tx: Tx): Promise<void> {
  const { viewer, siteId } = requireOwnAccount(ctx)
  await markSessionFresh(ctx, tx)
  await recordAudit(ctx, tx, { action: 'sessions.confirm', siteId, subject: { type: 'sessions', id: viewer.sessionId } })
}

export async function markSessionFresh(ctx: Ctx, tx: Tx): Promise<void> {
  const { viewer, siteId } = requireOwnAccount(ctx)
  await tx
    .update(sessions)
    .set({ confirmedAt: ctx.now() })
    .where(and(eq(sessions.siteId, siteId), eq(sessions.userId, viewer.id), eq(sessions.id, viewer.sessionId)))
}
