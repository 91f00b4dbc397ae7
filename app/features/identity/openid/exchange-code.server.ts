import * as openid from 'openid-client'
import type { Ctx } from '#app/server/context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { PRESETS } from '../identity.schema.ts'
import type { ProviderRow } from '../providers.server.ts'
import { SignInFault } from '../sign-in-fault.server.ts'
import { toSignInFault } from './openid-faults.server.ts'
import { openProvider } from './provider-metadata.server.ts'

/** What ties the provider's answer to the browser that was sent there. */
export interface Challenge {
  state: string
  nonce: string
  verifier: string
}

export const createChallenge = (): Challenge => ({
  state: openid.randomState(),
  nonce: openid.randomNonce(),
  verifier: openid.randomPKCECodeVerifier(),
})

export const buildCallbackUrl = (ctx: Pick<Ctx, 'site' | 'runtime'>, providerId: string): string =>
  buildSiteUrl(ctx, `/sign-in/${providerId}/callback`)

/** Where to send the browser. @throws {SignInFault} */
export async function buildProviderAddress(ctx: Ctx, row: ProviderRow, { state, nonce, verifier }: Challenge): Promise<string> {
  const { config } = await openProvider(ctx, row)
  return openid.buildAuthorizationUrl(config, {
    redirect_uri: buildCallbackUrl(ctx, row.id),
    scope: PRESETS[row.preset].scope,
    state,
    nonce,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ui_locales: ctx.language,
    ...(row.requiredAcr.length > 0 ? { acr_values: row.requiredAcr.join(' ') } : {}),
  }).href
}

/** What the provider says of a person, checked. */
export interface ProviderAnswer {
  subject: string
  email: string | undefined
  emailVerified: boolean
  name: string | undefined
  groups: string[]
  /** The provider's session, which its logout names. */
  session: string | undefined
  /** All that came, for the test page. */
  claims: Record<string, unknown>
}

/** Exchanges the code of a callback and checks what came. @throws {SignInFault} */
export async function exchangeCode(ctx: Ctx, row: ProviderRow, query: URLSearchParams, challenge: Challenge): Promise<ProviderAnswer> {
  const claims = await readClaims(ctx, row, query, challenge).catch((error: unknown) => {
    throw toSignInFault(error)
  })
  const answer = readAnswer(row, claims)
  requireLevel(row, claims)
  requireDomain(row, claims, answer)
  requireCompleteGroups(row, claims)
  return answer
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
  const named = [row.claims.email, row.claims.groups].some((name) => findClaim(claims, name) === undefined)
  if (!named || !config.serverMetadata().userinfo_endpoint) return { ...claims }
  // What the signed token says goes first.
  return { ...(await openid.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }
}

/** @param name a claim, or the way to one inside objects: `realm_access.roles` */
function findClaim(claims: Record<string, unknown>, name: string): unknown {
  if (name in claims) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

const LONGEST = { subject: 255, email: 254, name: 80, group: 200 }

const readText = (value: unknown, most: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().replaceAll('\0', '').slice(0, most).toWellFormed() : undefined

function readAnswer({ claims: names }: ProviderRow, claims: Record<string, unknown>): ProviderAnswer {
  const subject = claims['sub']
  if (typeof subject !== 'string' || subject === '' || subject.length > LONGEST.subject)
    throw new SignInFault('not-understood', 'no subject')
  const email = readText(findClaim(claims, names.email), 320)?.toLowerCase()
  const groups = findClaim(claims, names.groups)
  return {
    subject,
    email: email && email.length <= LONGEST.email && /^[^\s@]+@[^\s@]+$/.test(email) ? email : undefined,
    emailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
    name: readText(findClaim(claims, names.name), LONGEST.name),
    groups: [groups].flat().flatMap((group) => readText(group, LONGEST.group) ?? []),
    session: readText(claims['sid'], 255),
    claims,
  }
}

function requireLevel({ requiredAcr }: ProviderRow, { acr }: Record<string, unknown>): void {
  if (requiredAcr.length > 0 && !requiredAcr.some((level) => level === acr))
    throw new SignInFault('level-too-low', 'acr is none of those required')
}

/** Whole domains are compared, and never ends of them. An address that the provider calls unconfirmed proves no domain. */
function requireDomain({ allowedDomains, claims: names }: ProviderRow, claims: Record<string, unknown>, { email }: ProviderAnswer): void {
  if (allowedDomains.length === 0) return
  const said = names.domain === undefined ? undefined : findClaim(claims, names.domain)
  const domain = names.domain === undefined ? (claims['email_verified'] === false ? undefined : email?.split('@')[1]) : said
  if (typeof domain !== 'string' || !allowedDomains.includes(domain.toLowerCase()))
    throw new SignInFault('domain-refused', 'another domain')
}

/** Entra ID leaves the groups out of people who are in more than 200: their roles would fall away for no reason. */
function requireCompleteGroups({ claims: names }: ProviderRow, claims: Record<string, unknown>): void {
  const elsewhere = claims['_claim_names']
  if (elsewhere && typeof elsewhere === 'object' && names.groups in elsewhere)
    throw new SignInFault('groups-incomplete', 'groups are elsewhere')
}
