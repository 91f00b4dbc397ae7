import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { sessions } from '#app/server/db/schema/accounts.ts'
import { lockUser, requireOwnAccount } from '../account-realm.server.ts'
import { requireOwnPassword } from '../passwords.server.ts'
import { beginPasskeyProof } from './check-passkey.server.ts'
import { limitSecondStep, listSecondStepMethods, readSecondStepProof, requireSecondStep } from './check-second-step.server.ts'
import type { SecondStepMethod } from './second-step-methods.ts'

interface Confirmation {
  password?: string | undefined
  code?: string | undefined
  passkey?: string | undefined
}

/**
 * Proves again who the viewer is: by a code or passkey if they have two-step sign-in, else by the password. For the next minutes the session may do
 * what needs a fresh sign-in.
 * @throws {AppError} `wrong-second-step` at `/code`, `wrong-passkey` at `/passkey`, `wrong-password` at `/password`, `invalid` if the one that counts is missing
 */
export async function confirmIdentity(ctx: Ctx, input: Confirmation): Promise<void> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  const { password, code, passkey } = input
  if (!viewer.hasSecondStep) {
    if (!password) throw buildRequired('/password')
    await requireOwnPassword(ctx, password, '/password')
    return db.tx((tx) => noteConfirmation(ctx, tx))
  }
  const sent = passkey ? { passkey } : code ? { code } : undefined
  if (!sent) throw buildRequired('/code')
  const user = { siteId, id: viewer.id }
  await limitSecondStep(ctx, user, viewer.sessionId, async () => {
    const proof = await readSecondStepProof(ctx, user, viewer.sessionId, sent)
    await db.tx(async (tx) => {
      await requireSecondStep(ctx, tx, await lockUser(tx, siteId, viewer.id), proof)
      await noteConfirmation(ctx, tx)
    })
  })
}

/** How the viewer confirms that it is them; visitors are asked to sign in first. */
export async function readConfirmation(ctx: Ctx): Promise<{ by: 'code' | 'password'; methods: SecondStepMethod[] }> {
  const { viewer } = ctx
  if (viewer.kind === 'visitor' || !viewer.hasSecondStep) return { by: 'password', methods: [] }
  const { siteId, db } = requireOwnAccount(ctx)
  return { by: 'code', methods: await db.read((tx) => listSecondStepMethods(ctx, tx, { siteId, id: viewer.id })) }
}

/** What the browser asks the viewer's passkeys to sign. */
export function beginPasskeyConfirmation(ctx: Ctx): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { viewer, siteId } = requireOwnAccount(ctx)
  return beginPasskeyProof(ctx, { siteId, id: viewer.id }, viewer.sessionId)
}

const buildRequired = (pointer: string) => new AppError('invalid', { faults: [{ code: 'required', pointer }] })

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
