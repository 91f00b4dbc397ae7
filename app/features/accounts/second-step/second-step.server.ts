import { and, eq } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { hasFreshSignIn } from '#app/features/permissions/fresh-sign-in.policy.server.ts'
import { requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { SignedInViewer } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { getSealingKeys, sealSecret, unsealSecret } from '#app/server/crypto/seal.ts'
import type { Tx } from '#app/server/db/client.ts'
import { authenticatorApps, passkeys, recoveryCodes, users } from '#app/server/db/schema/accounts.ts'
import { queueAccountMail, type SecondStepChange } from '../account-mails.server.ts'
import { lockUser, requireOwnAccount, type UserRow } from '../account-realm.server.ts'
import { endAccountSessions } from '../sessions.server.ts'
import { createAppKey, drawAppQrCode, findCodeStep, formatAppKey } from './authenticator-app.server.ts'
import { buildAppSealPlace } from './check-second-step.server.ts'
import { markSessionFresh } from './confirm-identity.server.ts'
import { countUnusedCodes, replaceRecoveryCodes } from './recovery-codes.server.ts'
import type { AppSetup, PasskeyView, SecondStepView } from './second-step.schema.ts'

/** The viewer's account, to change its two-step sign-in. @throws {AppError} `unauthenticated`, `fresh-sign-in-required` */
export function requireSecondStepChange(ctx: Ctx) {
  const own = requireOwnAccount(ctx)
  requirePermission(ctx, 'account.secure', { ownerId: own.viewer.id })
  return own
}

/** The viewer's two-step sign-in. @throws {AppError} `unauthenticated` */
export async function readSecondStep(ctx: Ctx): Promise<SecondStepView> {
  const { viewer, siteId, db } = requireOwnAccount(ctx)
  return db.read(async (tx) => {
    const app = await findApp(tx, siteId, viewer.id)
    return {
      isOn: viewer.hasSecondStep === true,
      isOwed: viewer.owesSecondStep === true,
      mayChange: hasFreshSignIn(ctx),
      app: app ? { since: app.createdAt } : null,
      passkeys: await listPasskeys(tx, { siteId, userId: viewer.id }),
      codesLeft: await countUnusedCodes(tx, { siteId, id: viewer.id }),
    }
  })
}

/** A new key for an authenticator app. @param refused the sealed key of a form that was refused, to show the same key again */
export function beginAppSetup(ctx: Ctx, refused?: string): AppSetup {
  const { viewer } = requireSecondStepChange(ctx)
  const former = refused === undefined ? undefined : openSetup(ctx, viewer, refused)
  const key = former ?? createAppKey()
  const setup = sealSecret(getSealingKeys(ctx.runtime), buildSetupSealPlace(viewer), key)
  return { setup, key: formatAppKey(key), qr: drawAppQrCode(key, { site: ctx.site.name, email: viewer.email }) }
}

/**
 * Turns an authenticator app on, once a code proves that it has the key. Other devices are signed out: nobody took a second step there.
 * @returns the recovery codes, if it is the first second step; they are never shown again
 * @throws {AppError} `wrong-second-step` at `/code`, `conflict` if there is an app, `fresh-sign-in-required`
 */
export async function confirmAppSetup(ctx: Ctx, input: { setup: string; code: string }): Promise<string[]> {
  const { viewer, siteId, db } = requireSecondStepChange(ctx)
  const key = openSetup(ctx, viewer, input.setup)
  const step = key === undefined ? undefined : findCodeStep(key, input.code.replace(/\s/g, ''), ctx.now())
  if (key === undefined || step === undefined) throw new AppError('wrong-second-step', { pointer: '/code' })
  return db.tx(async (tx) => {
    const user = await lockUser(tx, siteId, viewer.id)
    if (await findApp(tx, siteId, viewer.id)) throw new AppError('conflict')
    const id = createId()
    const sealedKey = sealSecret(getSealingKeys(ctx.runtime), buildAppSealPlace(id), key)
    await tx.insert(authenticatorApps).values({ siteId, id, userId: user.id, sealedKey, lastUsedStep: step, createdAt: ctx.now() })
    await markSessionFresh(ctx, tx)
    const subject = { type: 'users', id: user.id }
    await recordAudit(ctx, tx, { action: 'second-steps.create', siteId, subject, detail: { method: 'app' } })
    return noteAddition(ctx, tx, user, { kind: 'second-step-changed', change: 'app-added' })
  })
}

/** Removes the authenticator app. @throws {AppError} `not-found`, `fresh-sign-in-required` */
export async function removeApp(ctx: Ctx): Promise<void> {
  const { viewer, siteId, db } = requireSecondStepChange(ctx)
  await db.tx(async (tx) => {
    const user = await lockUser(tx, siteId, viewer.id)
    const isOwn = and(eq(authenticatorApps.siteId, siteId), eq(authenticatorApps.userId, user.id))
    const removed = await tx.delete(authenticatorApps).where(isOwn).returning({ id: authenticatorApps.id })
    if (removed.length === 0) throw new AppError('not-found')
    await noteRemoval(ctx, tx, user, { kind: 'second-step-changed', change: 'app-removed' })
    const subject = { type: 'users', id: user.id }
    await recordAudit(ctx, tx, { action: 'second-steps.delete', siteId, subject, detail: { method: 'app' } })
  })
}

export const listPasskeys = (tx: Tx, { siteId, userId }: { siteId: string; userId: string }): Promise<PasskeyView[]> =>
  tx
    .select({
      id: passkeys.id,
      name: passkeys.name,
      createdAt: passkeys.createdAt,
      lastUsedAt: passkeys.lastUsedAt,
      host: passkeys.host,
    })
    .from(passkeys)
    .where(and(eq(passkeys.siteId, siteId), eq(passkeys.userId, userId)))
    .orderBy(passkeys.createdAt, passkeys.id)

/** Replaces the recovery codes; the former ones stop working. @throws {AppError} `conflict` without two-step sign-in, `fresh-sign-in-required` */
export async function renewRecoveryCodes(ctx: Ctx): Promise<string[]> {
  const { viewer, siteId, db } = requireSecondStepChange(ctx)
  return db.tx(async (tx) => {
    const user = await lockUser(tx, siteId, viewer.id)
    if (!user.secondStepSince) throw new AppError('conflict')
    const codes = await replaceRecoveryCodes(tx, user, ctx.now())
    await recordAudit(ctx, tx, { action: 'second-steps.renew-codes', siteId, subject: { type: 'users', id: user.id } })
    return codes
  })
}

/**
 * Tells the person that they have one more second step; the first turns two-step sign-in on.
 * @returns the recovery codes, if it is the first
 */
export async function noteAddition(ctx: Ctx, tx: Tx, user: UserRow, mail: SecondStepChange): Promise<string[]> {
  if (!user.secondStepSince) return turnOn(ctx, tx, user)
  await queueAccountMail(ctx, tx, user, mail)
  return []
}

/** Tells the person that a second step is gone; without the last, two-step sign-in is off. */
export async function noteRemoval(ctx: Ctx, tx: Tx, user: UserRow, mail: SecondStepChange): Promise<void> {
  const { siteId, id: userId } = user
  const isLeft = (await findApp(tx, siteId, userId)) !== undefined || (await listPasskeys(tx, { siteId, userId })).length > 0
  if (isLeft) await queueAccountMail(ctx, tx, user, mail)
  else await turnOff(ctx, tx, user)
}

async function turnOn(ctx: Ctx, tx: Tx, user: UserRow): Promise<string[]> {
  const { viewer } = requireOwnAccount(ctx)
  await setSecondStepSince(tx, user, ctx.now())
  await endAccountSessions(tx, user.siteId, user.id, viewer.sessionId)
  await queueAccountMail(ctx, tx, user, { kind: 'second-step-on' })
  return replaceRecoveryCodes(tx, user, ctx.now())
}

/** Removes the recovery codes and tells the person, in the transaction that removes the last second step. */
export async function turnOff(ctx: Ctx, tx: Tx, user: UserRow): Promise<void> {
  await tx.delete(recoveryCodes).where(and(eq(recoveryCodes.siteId, user.siteId), eq(recoveryCodes.userId, user.id)))
  await setSecondStepSince(tx, user, null)
  await queueAccountMail(ctx, tx, user, { kind: 'second-step-off' })
}

const setSecondStepSince = (tx: Tx, { siteId, id }: UserRow, secondStepSince: Date | null) =>
  tx
    .update(users)
    .set({ secondStepSince })
    .where(and(eq(users.siteId, siteId), eq(users.id, id)))

async function findApp(tx: Tx, siteId: string, userId: string) {
  const [app] = await tx
    .select()
    .from(authenticatorApps)
    .where(and(eq(authenticatorApps.siteId, siteId), eq(authenticatorApps.userId, userId)))
  return app
}

const openSetup = (ctx: Ctx, viewer: SignedInViewer, setup: string): string | undefined =>
  unsealSecret(getSealingKeys(ctx.runtime), buildSetupSealPlace(viewer), setup)

const buildSetupSealPlace = ({ siteId, id }: SignedInViewer): string => `authenticator-setup/${siteId}/${id}`

/** For the file of their own data: that they have it and since when, never a key or code. */
export async function readOwnSecondStep(tx: Tx, { siteId, userId }: { siteId: string; userId: string }) {
  const app = await findApp(tx, siteId, userId)
  const [user] = await tx
    .select({ since: users.secondStepSince })
    .from(users)
    .where(and(eq(users.siteId, siteId), eq(users.id, userId)))
  return {
    since: user?.since ?? null,
    app: app ? { since: app.createdAt } : null,
    passkeys: (await listPasskeys(tx, { siteId, userId })).map(({ id: _id, ...passkey }) => passkey),
    recoveryCodes: { left: await countUnusedCodes(tx, { siteId, id: userId }) },
  }
}
