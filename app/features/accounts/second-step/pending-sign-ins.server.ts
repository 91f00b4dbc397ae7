import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { and, eq, gt } from 'drizzle-orm'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import { findKnownDevice } from '#app/server/auth/known-device.ts'
import { createToken, hashToken } from '#app/server/auth/tokens.ts'
import type { Ctx } from '#app/server/context.ts'
import { pendingSignIns } from '#app/server/db/schema/accounts.ts'
import { getRealmDb, listRealmSiteIds, lockUser } from '../account-realm.server.ts'
import type { SignInInput } from '../accounts.schema.ts'
import { checkPassword, type NewSession, openSession, openSessionAfterPassword, recordRefusedSignIn } from '../sessions.server.ts'
import { beginPasskeyProof } from './check-passkey.server.ts'
import {
  limitSecondStep,
  listSecondStepMethods,
  readSecondStepProof,
  requireSecondStep,
  type SentSecondStep,
} from './check-second-step.server.ts'
import type { SecondStepMethod } from './second-step-methods.ts'

const PENDING_MINUTES = 10
const REFUSALS = ['wrong-second-step', 'wrong-passkey', 'copied-passkey'] as const

type PendingRow = typeof pendingSignIns.$inferSelect

/**
 * Checks the password. For people with two-step sign-in this opens no session: it returns a secret with which the browser may take the
 * second step within ten minutes.
 * @throws {AppError} as `signIn`
 */
export async function beginSignIn(
  ctx: Ctx,
  input: SignInInput,
  deviceCookie: string | undefined,
): Promise<{ session: NewSession } | { pending: string; methods: SecondStepMethod[] }> {
  const user = await checkPassword(ctx, input, deviceCookie)
  if (!user.secondStepSince) return { session: await openSessionAfterPassword(ctx, user, { deviceCookie }) }
  const { siteId, id: userId } = user
  const token = createToken()
  const now = ctx.now()
  const methods = await getRealmDb(ctx, siteId).tx(async (tx) => {
    await tx.insert(pendingSignIns).values({
      siteId,
      id: createId(),
      userId,
      tokenHash: hashToken(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + PENDING_MINUTES * 60_000),
    })
    return listSecondStepMethods(ctx, tx, user)
  })
  return { pending: token, methods }
}

/** The challenge that a passkey must sign to finish a pending sign-in. @throws {AppError} `sign-in-expired` */
export async function beginPasskeySignIn(ctx: Ctx, pending: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { siteId, id, userId } = await requirePendingSignIn(ctx, pending)
  return beginPasskeyProof(ctx, { siteId, id: userId }, id)
}

/**
 * Takes the second step and opens the session. @param deviceCookie the browser's known-device cookie
 * @throws {AppError} `sign-in-expired`, `wrong-second-step`, `wrong-passkey`, `copied-passkey`, `too-many-requests`, `blocked`
 */
export async function completeSignIn(ctx: Ctx, pending: string, sent: SentSecondStep, deviceCookie?: string): Promise<NewSession> {
  const row = await requirePendingSignIn(ctx, pending)
  const { siteId, userId } = row
  const holder = { siteId, id: userId }
  try {
    return await limitSecondStep(ctx, holder, findKnownDevice(ctx, deviceCookie, holder), async () => {
      const proof = await readSecondStepProof(ctx, holder, row.id, sent)
      return getRealmDb(ctx, siteId).tx(async (tx) => {
        const user = await lockUser(tx, siteId, userId)
        if (user.blockedAt) throw new AppError('blocked')
        const taken = await tx
          .delete(pendingSignIns)
          .where(and(eq(pendingSignIns.siteId, siteId), eq(pendingSignIns.id, row.id)))
          .returning({ id: pendingSignIns.id })
        if (taken.length === 0) throw new AppError('sign-in-expired')
        await requireSecondStep(ctx, tx, user, proof)
        return openSession(ctx, tx, user, { deviceCookie })
      })
    })
  } catch (error) {
    const reason = REFUSALS.find((code) => isAppError(error, code))
    if (reason) await recordRefusedSignIn(ctx, holder, reason)
    throw error
  }
}

async function requirePendingSignIn(ctx: Ctx, token: string): Promise<PendingRow> {
  for (const siteId of listRealmSiteIds(ctx)) {
    const [row] = await getRealmDb(ctx, siteId).read((tx) =>
      tx
        .select()
        .from(pendingSignIns)
        .where(
          and(eq(pendingSignIns.siteId, siteId), eq(pendingSignIns.tokenHash, hashToken(token)), gt(pendingSignIns.expiresAt, ctx.now())),
        ),
    )
    if (row) return row
  }
  throw new AppError('sign-in-expired')
}
