import { and, eq, lt } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { getSealingKeys, unsealSecret } from '#app/server/crypto/seal.ts'
import type { Tx } from '#app/server/db/client.ts'
import { authenticatorApps } from '#app/server/db/schema/accounts.ts'
import { limitGuesses, limitGuessesByAddress, limitGuessesOf } from '#app/server/limits/guesses.ts'
import { queueAccountMail } from '../account-mails.server.ts'
import { loadHighestRole, type UserRow } from '../account-realm.server.ts'
import { findCodeStep } from './authenticator-app.server.ts'
import { listUsablePasskeys, type PasskeyProof, readPasskeyProof, requirePasskey } from './check-passkey.server.ts'
import { consumeRecoveryCode, countUnusedCodes } from './recovery-codes.server.ts'
import type { SecondStepMethod } from './second-step-methods.ts'

/** What a person sends as their second step: six digits from an authenticator app or a recovery code, or a passkey's answer. */
export type SentSecondStep = { code: string } | { passkey: string }

/** What proves the second step. */
type SecondStepProof = { code: string } | PasskeyProof

const DAY_MINUTES = 24 * 60

export const buildAppSealPlace = (id: string): string => `authenticator-apps/${id}/key`

/**
 * Takes the second step in `act`, within the limits for guessing it. Three of a million codes are right at any time, so few may be tried in a
 * day.
 * @param device a known device or a session of the person: only its own guesses count there
 * @throws {AppError} `too-many-requests`
 */
export async function limitSecondStep<Result>(
  ctx: Ctx,
  { siteId, id }: Pick<UserRow, 'siteId' | 'id'>,
  device: string | undefined,
  act: () => Promise<Result>,
): Promise<Result> {
  const limits = device
    ? [{ name: 'second-step/device', of: device, free: 5, minutes: DAY_MINUTES, siteId }]
    : [
        ...limitGuessesOf(ctx, { name: 'second-step', of: id, siteId, most: 10, minutes: DAY_MINUTES }),
        ...limitGuessesByAddress(ctx, 'second-step'),
      ]
  return limitGuesses(ctx, limits, act)
}

/** @param boundTo the session or pending sign-in that a passkey was asked for */
export const readSecondStepProof = async (
  ctx: Ctx,
  user: Pick<UserRow, 'siteId' | 'id'>,
  boundTo: string,
  sent: SentSecondStep,
): Promise<SecondStepProof> => ('passkey' in sent ? readPasskeyProof(ctx, user, boundTo, sent.passkey) : sent)

/**
 * Uses up what proves the second step.
 * @throws {AppError} `wrong-second-step` at `/code`; `wrong-passkey`, `copied-passkey` at `/passkey`
 */
export async function requireSecondStep(ctx: Ctx, tx: Tx, user: UserRow, proof: SecondStepProof): Promise<void> {
  if ('passkey' in proof) return requirePasskey(ctx, tx, user, proof)
  const { code } = proof
  const given = code.replace(/\s/g, '')
  if (/^\d+$/.test(given) ? await consumeAppCode(ctx, tx, user, given) : await useRecoveryCode(ctx, tx, user, given)) return
  throw new AppError('wrong-second-step', { pointer: '/code' })
}

/** Each time step is accepted once, so that a code read over somebody's shoulder is worth nothing. */
async function consumeAppCode({ runtime, now }: Ctx, tx: Tx, { siteId, id }: UserRow, code: string): Promise<boolean> {
  const isOwn = and(eq(authenticatorApps.siteId, siteId), eq(authenticatorApps.userId, id))
  const [app] = await tx.select().from(authenticatorApps).where(isOwn)
  const key = app && unsealSecret(getSealingKeys(runtime), buildAppSealPlace(app.id), app.sealedKey)
  const step = key === undefined ? undefined : findCodeStep(key, code, now())
  if (step === undefined) return false
  const accepted = await tx
    .update(authenticatorApps)
    .set({ lastUsedStep: step })
    .where(and(isOwn, lt(authenticatorApps.lastUsedStep, step)))
    .returning({ id: authenticatorApps.id })
  return accepted.length > 0
}

/** Notifies the account's owner by email, in case the codes were stolen. */
async function useRecoveryCode(ctx: Ctx, tx: Tx, user: UserRow, code: string): Promise<boolean> {
  if (!(await consumeRecoveryCode(tx, user, code, ctx.now()))) return false
  const left = await countUnusedCodes(tx, user)
  await queueAccountMail(ctx, tx, user, { kind: 'recovery-code-used', left })
  await recordAudit(ctx, tx, {
    action: 'second-steps.use-recovery-code',
    siteId: user.siteId,
    actor: { id: user.id, role: await loadHighestRole(tx, user.siteId, user.id) },
    subject: { type: 'users', id: user.id },
    detail: { left },
  })
  return true
}

/** How the person can take the second step here, beside their recovery codes. Passkeys of other domains of the site do not count. */
export async function listSecondStepMethods(ctx: Ctx, tx: Tx, user: Pick<UserRow, 'siteId' | 'id'>): Promise<SecondStepMethod[]> {
  const [app] = await tx
    .select({ id: authenticatorApps.id })
    .from(authenticatorApps)
    .where(and(eq(authenticatorApps.siteId, user.siteId), eq(authenticatorApps.userId, user.id)))
  const passkeys = await listUsablePasskeys(ctx, tx, user)
  return [...(passkeys.length > 0 ? (['passkey'] as const) : []), ...(app ? (['app'] as const) : [])]
}
