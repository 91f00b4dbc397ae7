import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import { and, eq, lt, or, sql } from 'drizzle-orm'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { passkeys } from '#app/server/db/schema/accounts.ts'
import { describeError } from '#app/server/log.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { getRealmDb, type UserRow } from '../account-realm.server.ts'
import { consumeChallenge, storeChallenge } from './passkey-challenges.server.ts'

type Owner = Pick<UserRow, 'siteId' | 'id'>
type PasskeyRow = typeof passkeys.$inferSelect

/** A passkey's answer, and the challenge that it should have signed; undefined if there was none, or it was used before. */
export interface PasskeyProof {
  passkey: string
  challenge: string | undefined
  /** The device has to have verified the person, by a fingerprint or a PIN: no password or session came first. */
  mustVerifyPerson?: boolean
}

/** Passkeys belong to the domain that the page was read from, which is the site's own: another site's do not work here. */
export function getRelyingParty(ctx: Pick<Ctx, 'site' | 'runtime'>): { rpID: string; origin: string } {
  const url = new URL(buildSiteUrl(ctx, '/'))
  url.hostname = ctx.site.host
  return { rpID: ctx.site.host, origin: url.origin }
}

export const listUsablePasskeys = (ctx: Ctx, tx: Tx, { siteId, id }: Owner): Promise<PasskeyRow[]> =>
  tx
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.siteId, siteId), eq(passkeys.userId, id), eq(passkeys.host, ctx.site.host)))
    .orderBy(passkeys.createdAt)

/**
 * What the browser asks the person's passkeys to sign. The password or session came first, so that verifying the person again on the device
 * is asked for and not required.
 * @param boundTo the session or pending sign-in
 */
export async function beginPasskeyProof(ctx: Ctx, owner: Owner, boundTo: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { siteId, id: userId } = owner
  const usable = await getRealmDb(ctx, siteId).read((tx) => listUsablePasskeys(ctx, tx, owner))
  const options = await generateAuthenticationOptions({
    rpID: getRelyingParty(ctx).rpID,
    allowCredentials: usable.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    userVerification: 'preferred',
  })
  await storeChallenge(ctx, { siteId, userId, boundTo, purpose: 'use' }, options.challenge)
  return options
}

/** Uses up the challenge that the answer should have signed. */
export async function readPasskeyProof(ctx: Ctx, { siteId, id: userId }: Owner, boundTo: string, passkey: string): Promise<PasskeyProof> {
  return { passkey, challenge: await consumeChallenge(ctx, { siteId, userId, boundTo, purpose: 'use' }) }
}

/** @throws {AppError} `wrong-passkey`; `copied-passkey` if its counter says that there are two of it */
export async function requirePasskey(
  ctx: Ctx,
  tx: Tx,
  owner: Owner,
  { passkey, challenge, mustVerifyPerson = false }: PasskeyProof,
): Promise<void> {
  const response = parseAnswer(passkey) as AuthenticationResponseJSON
  const row = (await listUsablePasskeys(ctx, tx, owner)).find(({ credentialId }) => credentialId === response.id)
  if (!row || challenge === undefined) throw buildWrongPasskey()
  const counter = await verifyAnswer(ctx, row, response, { expectedChallenge: challenge, requireUserVerification: mustVerifyPerson })
  const isNext = or(lt(passkeys.counter, counter), and(eq(passkeys.counter, 0), sql`${counter} = 0`))
  const counted = await tx
    .update(passkeys)
    .set({ counter, lastUsedAt: ctx.now() })
    .where(and(eq(passkeys.siteId, row.siteId), eq(passkeys.id, row.id), isNext))
    .returning({ id: passkeys.id })
  if (counted.length === 0) throw new AppError('copied-passkey', { pointer: '/passkey' })
}

/** @returns the passkey's new counter */
async function verifyAnswer(
  ctx: Ctx,
  row: PasskeyRow,
  response: AuthenticationResponseJSON,
  expected: { expectedChallenge: string; requireUserVerification: boolean },
): Promise<number> {
  const { rpID, origin } = getRelyingParty(ctx)
  const credential = {
    id: row.credentialId,
    publicKey: new Uint8Array(row.publicKey),
    // Compared when it is stored, where two answers at once cannot both pass.
    counter: 0,
    transports: row.transports,
  }
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential,
      ...expected,
    })
    if (verified) return authenticationInfo.newCounter
  } catch (error) {
    ctx.runtime.log.debug('a passkey was refused', describeError(error))
  }
  throw buildWrongPasskey()
}

export const buildWrongPasskey = () => new AppError('wrong-passkey', { pointer: '/passkey' })

/** The library checks the answer's fields; what is no object at all is refused here. */
export function parseAnswer(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed
  } catch {
    // Refused below.
  }
  throw buildWrongPasskey()
}
