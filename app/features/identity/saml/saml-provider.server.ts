import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import type { Ctx } from '#app/server/context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { Challenge } from '../provider-claims.server.ts'
import type { ProviderRow } from '../providers.server.ts'
import { SignInFault } from '../sign-in-fault.server.ts'

/** How far the provider's clock may be off. */
export const CLOCK_SKEW_MS = 120_000

type SiteCtx = Pick<Ctx, 'site' | 'runtime'>

/** The site's name at the provider, which is the address of its metadata too. */
export const buildEntityId = (ctx: SiteCtx, providerId: string): string => buildSiteUrl(ctx, `/sign-in/${providerId}/metadata.xml`)
/** Where the provider sends its answer. Webhooks may come from other sites. */
export const buildAssertionUrl = (ctx: SiteCtx, providerId: string): string => buildSiteUrl(ctx, `/hooks/saml/${providerId}`)

/** The id of the request that an attempt sends. */
export const buildRequestId = ({ nonce }: Pick<Challenge, 'nonce'>): string => `_${nonce}`

/** @throws {SignInFault} `client-refused` if the provider's address or certificate is missing */
export function openSaml(ctx: SiteCtx, row: ProviderRow, requestId = '_'): SAML {
  if (!row.ssoUrl || row.certificates.length === 0) throw new SignInFault('client-refused', 'no address or certificate')
  return new SAML({
    issuer: buildEntityId(ctx, row.id),
    audience: buildEntityId(ctx, row.id),
    callbackUrl: buildAssertionUrl(ctx, row.id),
    entryPoint: row.ssoUrl,
    idpCert: row.certificates,
    idpIssuer: row.issuer,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: CLOCK_SKEW_MS,
    // The attempt in the browser's cookie knows the request: see `readSamlAnswer`.
    validateInResponseTo: ValidateInResponseTo.never,
    signatureAlgorithm: 'sha256',
    generateUniqueId: () => requestId,
  })
}

/** Where to send the browser. @throws {SignInFault} `client-refused` */
export const buildSamlAddress = (ctx: Ctx, row: ProviderRow, challenge: Challenge): Promise<string> =>
  openSaml(ctx, row, buildRequestId(challenge)).getAuthorizeUrlAsync(challenge.state, undefined, {})

/** What a provider imports to know this site. */
export const buildMetadata = (ctx: SiteCtx, providerId: string): string =>
  generateServiceProviderMetadata({
    issuer: buildEntityId(ctx, providerId),
    callbackUrl: buildAssertionUrl(ctx, providerId),
    wantAssertionsSigned: true,
    identifierFormat: null,
  })
