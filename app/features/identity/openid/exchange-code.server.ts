import * as openid from 'openid-client'
import type { Ctx } from '#app/server/context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { PRESETS } from '../identity.schema.ts'
import { type Challenge, checkClaims, findClaim, type ProviderAnswer } from '../provider-claims.server.ts'
import type { ProviderRow } from '../providers.server.ts'
import { SignInFault } from '../sign-in-fault.server.ts'
import { CLOCK_SKEW_MS } from '../clock-skew.ts'
import { IDENTITY_CLAIMS, requireCoreIdentity, withoutIdentityClaims } from './core-identity.server.ts'
import { toSignInFault } from './openid-faults.server.ts'
import { openProvider } from './provider-metadata.server.ts'
import { asksForIdentity, chooseVector, requireVector } from './vectors-of-trust.server.ts'

export const createChallenge = (): Challenge => ({
  state: openid.randomState(),
  nonce: openid.randomNonce(),
  verifier: openid.randomPKCECodeVerifier(),
})

export const buildCallbackUrl = (ctx: Pick<Ctx, 'site' | 'runtime'>, providerId: string): string =>
  buildSiteUrl(ctx, `/sign-in/${providerId}/callback`)

/** Where to send the browser. @throws {SignInFault} */
export async function buildOpenIdAddress(ctx: Ctx, row: ProviderRow, { state, nonce, verifier }: Challenge): Promise<string> {
  const { config } = await openProvider(ctx, row)
  const vector = chooseVector(row)
  return openid.buildAuthorizationUrl(config, {
    redirect_uri: buildCallbackUrl(ctx, row.id),
    scope: PRESETS[row.preset].scope,
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ui_locales: ctx.language,
    ...(row.requiredAcr.length > 0 ? { acr_values: row.requiredAcr.join(' ') } : {}),
    ...(vector ? { vtr: JSON.stringify([vector]) } : {}),
    ...(asksForIdentity(row) ? { claims: IDENTITY_CLAIMS } : {}),
  }).href
}

/** Exchanges the code of a callback and checks what came. @throws {SignInFault} */
export async function exchangeCode(ctx: Ctx, row: ProviderRow, query: URLSearchParams, challenge: Challenge): Promise<ProviderAnswer> {
  const claims = await readClaims(ctx, row, query, challenge).catch((error: unknown) => {
    throw toSignInFault(error)
  })
  return checkClaims(row, claims)
}

async function readClaims(ctx: Ctx, row: ProviderRow, query: URLSearchParams, { state, nonce, verifier }: Challenge) {
  const { config, keepKeys } = await openProvider(ctx, row)
  const callback = new URL(buildCallbackUrl(ctx, row.id))
  callback.search = query.toString()
  const tokens = await openid.authorizationCodeGrant(config, callback, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  keepKeys()
  const claims = tokens.claims()
  if (!claims) throw new SignInFault('not-understood', 'no ID token')
  // The library leaves that to its callers.
  if (claims.iat * 1000 > Date.now() + CLOCK_SKEW_MS) throw new SignInFault('expired', 'it was issued in the future')
  const { issuer, userinfo_endpoint: userInfo } = config.serverMetadata()
  requireVector(row, issuer, claims)
  const asksMore = asksForIdentity(row) || [row.claims.email, row.claims.groups].some((name) => findClaim(claims, name) === undefined)
  const more = asksMore && userInfo ? await openid.fetchUserInfo(config, tokens.access_token, claims.sub) : {}
  if (asksForIdentity(row)) await requireCoreIdentity(ctx, row, issuer, { ...more, sub: claims.sub })
  // What the signed token says goes first.
  return { ...withoutIdentityClaims(more), ...claims }
}
