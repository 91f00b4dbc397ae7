import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import { parse, stringify, v7 } from 'uuid'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { createId, readIdTime } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { passkeyChallenges, passkeys } from '#app/server/db/schema/accounts.ts'
import { limitGuesses, limitGuessesByAddress } from '#app/server/limits/guesses.ts'
import { loadHighestRole, lockUser, type UserRow } from '../account-realm.server.ts'
import { type NewSession, openSession, recordRefusedSignIn } from '../sessions.server.ts'
import { buildWrongPasskey, getRelyingParty, parseAnswer, requirePasskey } from './check-passkey.server.ts'

/** How long a challenge is valid. People may leave the sign-in page open before they choose a passkey. */
const CHALLENGE_MINUTES = 60
const REFUSALS = ['wrong-passkey', 'copied-passkey', 'blocked'] as const

/**
 * What any passkey of this site may sign to sign its holder in. Nothing is stored: everybody who opens the page is asked, and who they are is
 * known only with the answer. The device has to verify the person, since no password comes before.
 */
export const beginPasskeyOnlySignIn = (ctx: Ctx): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  generateAuthenticationOptions({
    rpID: getRelyingParty(ctx).rpID,
    challenge: new Uint8Array(signId(ctx, Buffer.from(parse(v7({ msecs: ctx.now().getTime() }))))),
    userVerification: 'required',
  })

/**
 * Signs a participant in with nothing but a passkey. People with a role give their password first (decision 0114).
 * @param deviceCookie the browser's known-device cookie
 * @throws {AppError} `wrong-passkey`, `copied-passkey`, `password-first`, `too-many-requests`, `blocked`
 */
export function signInWithPasskey(ctx: Ctx, passkey: string, deviceCookie?: string): Promise<NewSession> {
  return limitGuesses(ctx, limitGuessesByAddress(ctx, 'sign-in'), async () => {
    const { id: credentialId, response } = parseAnswer(passkey) as Partial<AuthenticationResponseJSON>
    const challenge = readChallenge(ctx, response?.clientDataJSON)
    const holder = typeof credentialId === 'string' ? await findHolder(ctx, credentialId) : undefined
    if (!challenge || !holder) throw buildWrongPasskey()
    try {
      return await ctx.db.tx(async (tx) => {
        const user = await lockUser(tx, holder.siteId, holder.id)
        await requirePasskey(ctx, tx, user, { passkey, challenge: challenge.text, mustVerifyPerson: true })
        if (user.blockedAt) throw new AppError('blocked')
        if ((await loadHighestRole(tx, user.siteId, user.id)) !== 'participant') throw new AppError('password-first')
        await useChallenge(tx, user, challenge)
        return openSession(ctx, tx, user, { deviceCookie })
      })
    } catch (error) {
      const reason = REFUSALS.find((code) => isAppError(error, code))
      if (reason) await recordRefusedSignIn(ctx, holder, reason)
      throw error
    }
  })
}

interface Challenge {
  id: string
  /** As the browser returns it. */
  text: string
  endsAt: Date
}

const ID_BYTES = 16

/** The id's bytes with our signature. */
const signId = ({ runtime, site }: Ctx, id: Buffer): Buffer =>
  Buffer.concat([id, createHmac('sha256', runtime.secret).update(`passkey-sign-in/${site.id}/`).update(id).digest()])

/** The challenge that the browser says was signed, if it is ours and new enough; whether it was signed is checked with the answer. */
function readChallenge(ctx: Ctx, clientData: unknown): Challenge | undefined {
  if (typeof clientData !== 'string') return undefined
  const { challenge: text } = parseAnswer(Buffer.from(clientData, 'base64url').toString('utf8')) as { challenge?: unknown }
  if (typeof text !== 'string') return undefined
  const bytes = Buffer.from(text, 'base64url')
  const signed = signId(ctx, bytes.subarray(0, ID_BYTES))
  if (signed.length !== bytes.length || !timingSafeEqual(signed, bytes)) return undefined
  const id = stringify(bytes)
  const endsAt = new Date((readIdTime(id) ?? 0) + CHALLENGE_MINUTES * 60_000)
  return endsAt > ctx.now() ? { id, text, endsAt } : undefined
}

async function findHolder(ctx: Ctx, credentialId: string): Promise<Pick<UserRow, 'siteId' | 'id'> | undefined> {
  const [found] = await ctx.db.read((tx) =>
    tx
      .select({ siteId: passkeys.siteId, id: passkeys.userId })
      .from(passkeys)
      .where(and(eq(passkeys.siteId, ctx.site.id), eq(passkeys.host, ctx.site.host), eq(passkeys.credentialId, credentialId))),
  )
  return found
}

/** Notes that a challenge was used, until it would end anyway. @throws {AppError} `wrong-passkey` if it was used before */
async function useChallenge(tx: Tx, { siteId, id: userId }: UserRow, { id, text, endsAt }: Challenge): Promise<void> {
  const used = await tx
    .insert(passkeyChallenges)
    .values({
      siteId,
      id: createId(),
      userId,
      boundTo: id,
      purpose: 'sign-in',
      challenge: text,
      expiresAt: endsAt,
    })
    .onConflictDoNothing()
    .returning({ id: passkeyChallenges.id })
  if (used.length === 0) throw buildWrongPasskey()
}
