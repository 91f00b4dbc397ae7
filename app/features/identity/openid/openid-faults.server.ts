import * as openid from 'openid-client'
import type { SignInFaultCode } from '#app/lib/vocabulary/identity.ts'
import { OutgoingFault } from '#app/server/outgoing/outgoing-fault.ts'
import { SignInFault } from '../sign-in-fault.server.ts'

export const CODE_OF_CLAIM: Record<string, SignInFaultCode> = {
  iss: 'wrong-issuer',
  aud: 'wrong-audience',
  azp: 'wrong-audience',
  nonce: 'wrong-nonce',
}

/** Names the failed check behind an error of the library. */
export function toSignInFault(error: unknown): SignInFault {
  const chain = listCauses(error)
  const known = chain.find((each) => each instanceof SignInFault)
  if (known) return known
  const code = findCode(chain)
  const detail = chain.map((each) => each.message).join(': ')
  return new SignInFault(code, detail, { cause: error })
}

function findCode(chain: readonly Error[]): SignInFaultCode {
  if (chain.some((each) => each instanceof OutgoingFault)) return 'unreachable'
  for (const each of chain) {
    if (each instanceof openid.AuthorizationResponseError) return each.error === 'access_denied' ? 'cancelled' : 'not-understood'
    // The code was used before, or is too old.
    if (each instanceof openid.ResponseBodyError) return each.error === 'invalid_grant' ? 'used-before' : 'client-refused'
    if (each instanceof openid.WWWAuthenticateChallengeError) return 'client-refused'
  }
  const codes = chain.map((each) => ('code' in each ? String(each.code) : ''))
  if (codes.includes('OAUTH_TIMEOUT')) return 'unreachable'
  if (codes.includes('OAUTH_RESPONSE_IS_NOT_CONFORM')) return 'unreachable'
  if (codes.includes('OAUTH_JWT_TIMESTAMP_CHECK_FAILED')) return 'expired'
  if (codes.includes('OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')) return 'wrong-issuer'
  if (codes.includes('OAUTH_JWT_CLAIM_COMPARISON_FAILED')) return CODE_OF_CLAIM[findClaim(chain)] ?? 'not-understood'
  const messages = chain.map((each) => each.message).join(' ')
  if (/"iss" \(issuer\)/.test(messages)) return 'wrong-issuer'
  if (/"state"/.test(messages)) return 'started-elsewhere'
  if (/signature|JWS|"alg"/.test(messages) || codes.includes('OAUTH_KEY_SELECTION_FAILED')) return 'wrong-signature'
  return 'not-understood'
}

const findClaim = (chain: readonly Error[]): string => {
  for (const { cause } of chain) if (cause && typeof cause === 'object' && 'claim' in cause) return String(cause.claim)
  return ''
}

function listCauses(error: unknown): Error[] {
  const chain: Error[] = []
  for (let each = error; each instanceof Error && chain.length < 6; each = each.cause) chain.push(each)
  return chain
}
