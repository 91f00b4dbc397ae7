import { createLocalJWKSet, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { SignInFaultCode } from '#app/lib/vocabulary/identity.ts'
import type { Ctx } from '#app/server/context.ts'
import { CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { ProviderRow } from '../providers.server.ts'
import { SignInFault } from '../sign-in-fault.server.ts'
import { CODE_OF_CLAIM } from './openid-faults.server.ts'
import { loadDidKeys } from './provider-metadata.server.ts'
import { chooseVector, readIdentityLevel } from './vectors-of-trust.server.ts'

const VOCABULARY = 'https://vocab.account.gov.uk/v1/'
const CORE_IDENTITY = `${VOCABULARY}coreIdentityJWT`
const RETURN_CODES = `${VOCABULARY}returnCode`

/** The parameter `claims` of a request that asks for a proven identity. */
export const IDENTITY_CLAIMS = JSON.stringify({ userinfo: { [CORE_IDENTITY]: null, [RETURN_CODES]: null } })

/** Names, dates of birth and documents: the site keeps that somebody was proven, and nothing of who they are. */
export const withoutIdentityClaims = (claims: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !name.startsWith(VOCABULARY)))

/**
 * Checks the core identity of GOV.UK One Login, which another service signs with keys of its own.
 * @param claims the user info, with the subject of the ID token
 * @throws {SignInFault} `identity-not-proven` if there is none
 */
export async function requireCoreIdentity(ctx: Ctx, row: ProviderRow, issuer: string, claims: Record<string, unknown>): Promise<void> {
  const token = claims[CORE_IDENTITY]
  if (typeof token !== 'string') throw new SignInFault('identity-not-proven', `return codes ${listReturnCodes(claims[RETURN_CODES])}`)
  const origin = findIdentityOrigin(issuer)
  const payload = await verifyCoreIdentity(ctx, row, token, { origin, subject: String(claims['sub']) })
  const reached = typeof payload['vot'] === 'string' ? (readIdentityLevel(payload['vot']) ?? 0) : 0
  if (reached < (readIdentityLevel(chooseVector(row) ?? '') ?? 0))
    throw new SignInFault('level-too-low', 'the core identity (vot) is less than what was asked for')
}

/** `oidc.account.gov.uk` has its identities from `identity.account.gov.uk`; an issuer with another name from itself, as their simulator does. */
function findIdentityOrigin(issuer: string): string {
  const { protocol, host } = new URL(issuer)
  return `${protocol}//${host.replace(/^oidc\./, 'identity.')}`
}

async function verifyCoreIdentity(ctx: Ctx, row: ProviderRow, token: string, { origin, subject }: { origin: string; subject: string }) {
  try {
    // A key of another controller is none, whatever its document holds.
    const did = `did:web:${encodeURIComponent(new URL(origin).host)}`
    if (!decodeProtectedHeader(token).kid?.startsWith(`${did}#`)) throw new SignInFault('wrong-signature', 'the key of somebody else')
    const { payload } = await jwtVerify(token, createLocalJWKSet(await loadDidKeys(ctx, row, origin)), {
      issuer: `${origin}/`,
      audience: row.clientId,
      subject,
      algorithms: ['ES256'],
      requiredClaims: ['exp'],
      clockTolerance: CLOCK_SKEW_MS / 1000,
    })
    return payload
  } catch (error) {
    if (error instanceof SignInFault) throw error
    throw new SignInFault(findCode(error), 'the core identity does not hold', { cause: error })
  }
}

function findCode(error: unknown): SignInFaultCode {
  if (error instanceof errors.JWTExpired) return 'expired'
  if (error instanceof errors.JWTClaimValidationFailed) return CODE_OF_CLAIM[error.claim] ?? 'not-understood'
  return 'wrong-signature'
}

/** For the log: letters that say which check failed, and nothing of the person. */
const listReturnCodes = (codes: unknown): string =>
  [codes]
    .flat()
    .flatMap((each: unknown) => (each && typeof each === 'object' && 'code' in each ? String(each.code).slice(0, 3) : []))
    .slice(0, 20)
    .join(',')
