import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import { parse } from 'uuid'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { createId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { passkeys } from '#app/server/db/schema/accounts.ts'
import { describeError } from '#app/server/log.ts'
import { lockUser, requireOwnAccount } from '../account-realm.server.ts'
import { buildWrongPasskey, getRelyingParty, listUsablePasskeys, parseAnswer } from './check-passkey.server.ts'
import { markSessionFresh } from './confirm-identity.server.ts'
import { consumeChallenge, storeChallenge } from './passkey-challenges.server.ts'
import { listPasskeys, noteAddition, noteRemoval, requireSecondStepChange } from './second-step.server.ts'

const MAX_PASSKEYS = 20
/** EdDSA, ES256 and RS256, by their COSE numbers: one of them is in every authenticator. */
const ALGORITHMS = [-8, -7, -257]

/** What the browser makes a passkey from. @throws {AppError} `fresh-sign-in-required` */
export async function beginPasskeySetup(ctx: Ctx): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { viewer, siteId, db } = requireSecondStepChange(ctx)
  const existing = await db.read((tx) => listUsablePasskeys(ctx, tx, { siteId, id: viewer.id }))
  const options = await generateRegistrationOptions({
    rpName: ctx.site.name,
    rpID: getRelyingParty(ctx).rpID,
    userName: viewer.email,
    userDisplayName: viewer.login,
    userID: new Uint8Array(parse(viewer.id)),
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  await storeChallenge(ctx, { siteId, userId: viewer.id, boundTo: viewer.sessionId, purpose: 'add' }, options.challenge)
  return options
}

/**
 * Adds the passkey that the browser made. Other devices are signed out if it is the first second step.
 * @returns the recovery codes, if it is the first second step; they are never shown again
 * @throws {AppError} `wrong-passkey` at `/passkey`, `conflict` if it is known or there are 20, `fresh-sign-in-required`
 */
export async function addPasskey(ctx: Ctx, input: { name: string; passkey: string }): Promise<string[]> {
  const { viewer, siteId, db } = requireSecondStepChange(ctx)
  const { credential, transports } = await verifyNewPasskey(ctx, input.passkey)
  return db.tx(async (tx) => {
    const user = await lockUser(tx, siteId, viewer.id)
    if ((await listPasskeys(tx, { siteId, userId: user.id })).length >= MAX_PASSKEYS) throw new AppError('conflict')
    const added = await tx
      .insert(passkeys)
      .values({
        siteId,
        id: createId(),
        userId: user.id,
        name: input.name,
        host: ctx.site.host,
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports,
        createdAt: ctx.now(),
      })
      .onConflictDoNothing()
      .returning({ id: passkeys.id })
    if (added.length === 0) throw new AppError('conflict')
    await markSessionFresh(ctx, tx)
    const subject = { type: 'users', id: user.id }
    await recordAudit(ctx, tx, { action: 'second-steps.create', siteId, subject, detail: { method: 'passkey' } })
    return noteAddition(ctx, tx, user, { kind: 'second-step-changed', change: 'passkey-added', name: input.name })
  })
}

async function verifyNewPasskey(ctx: Ctx, answer: string) {
  const { viewer, siteId } = requireOwnAccount(ctx)
  const expectedChallenge = await consumeChallenge(ctx, { siteId, userId: viewer.id, boundTo: viewer.sessionId, purpose: 'add' })
  if (expectedChallenge === undefined) throw buildWrongPasskey()
  const response = parseAnswer(answer) as RegistrationResponseJSON
  const { rpID, origin } = getRelyingParty(ctx)
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      supportedAlgorithmIDs: ALGORITHMS,
      requireUserVerification: false,
    })
    if (verified) return { credential: registrationInfo.credential, transports: readTransports(registrationInfo.credential.transports) }
  } catch (error) {
    ctx.runtime.log.debug('a new passkey was refused', describeError(error))
  }
  throw buildWrongPasskey()
}

/** The browser's unsigned transport hints. Anything that does not look like one is dropped. */
const readTransports = (transports: unknown): string[] =>
  Array.isArray(transports) ? transports.filter((each) => typeof each === 'string' && /^[a-z-]{1,20}$/.test(each)).slice(0, 8) : []

/** Removes a passkey of the viewer. @throws {AppError} `not-found` if it is not theirs, `fresh-sign-in-required` */
export async function removePasskey(ctx: Ctx, id: string): Promise<void> {
  const { viewer, siteId, db } = requireSecondStepChange(ctx)
  await db.tx(async (tx) => {
    const user = await lockUser(tx, siteId, viewer.id)
    const [removed] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.siteId, siteId), eq(passkeys.userId, user.id), eq(passkeys.id, id)))
      .returning({ name: passkeys.name })
    if (!removed) throw new AppError('not-found')
    await noteRemoval(ctx, tx, user, { kind: 'second-step-changed', change: 'passkey-removed', name: removed.name })
    const subject = { type: 'users', id: user.id }
    await recordAudit(ctx, tx, { action: 'second-steps.delete', siteId, subject, detail: { method: 'passkey' } })
  })
}
