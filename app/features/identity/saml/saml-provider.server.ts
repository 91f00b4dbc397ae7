import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import type { Ctx } from '#app/server/context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { CLOCK_SKEW_MS } from '../clock-skew.ts'
import type { Challenge } from '../provider-claims.server.ts'
import { exportPrivateKey, openSigningKeys, type SigningKey } from '../provider-secrets.server.ts'
import type { ProviderRow } from '../providers.server.ts'
import { SignInFault } from '../sign-in-fault.server.ts'

type SiteCtx = Pick<Ctx, 'site' | 'runtime'>

/** The site's name at the provider, which is the address of its metadata too. */
export const buildEntityId = (ctx: SiteCtx, providerId: string): string => buildSiteUrl(ctx, `/sign-in/${providerId}/metadata.xml`)
/** Where the provider sends its answer. Webhooks may come from other sites. */
export const buildAssertionUrl = (ctx: SiteCtx, providerId: string): string => buildSiteUrl(ctx, `/hooks/saml/${providerId}`)

/** The id of the request that an attempt sends. */
export const buildRequestId = ({ nonce }: Pick<Challenge, 'nonce'>): string => `_${nonce}`

/**
 * Two keys serve both purposes: the present one signs requests, the next one is what the provider encrypts for, and both decrypt. So a
 * provider that still encrypts for the one before is understood when the keys move on.
 */
function findSiteKeys(ctx: SiteCtx, row: ProviderRow): { signing?: SigningKey | undefined; encryption?: SigningKey | undefined } {
  const [present, next] = openSigningKeys(ctx, row)
  return {
    ...(row.signsRequests && { signing: present }),
    ...(row.assertionEncryption !== 'none' && { encryption: next }),
  }
}

/** The site's certificates that a provider needs, as PEM. */
export function readSiteCertificates(
  ctx: SiteCtx,
  row: ProviderRow,
): { signingCertificate: string | null; encryptionCertificate: string | null } {
  const { signing, encryption } = row.protocol === 'saml' ? findSiteKeys(ctx, row) : {}
  return { signingCertificate: toPem(signing), encryptionCertificate: toPem(encryption) }
}

function toPem(key: SigningKey | undefined): string | null {
  const lines = key?.x5c?.[0]?.match(/.{1,64}/g)
  return lines ? ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----'].join('\n') : null
}

interface SamlOptions {
  requestId?: string
  /** What opens the assertion, as PEM. */
  decryptionKey?: string | undefined
}

/** @throws {SignInFault} `client-refused` if the provider's address or certificate is missing */
export function openSaml(ctx: SiteCtx, row: ProviderRow, { requestId = '_', decryptionKey }: SamlOptions = {}): SAML {
  if (!row.ssoUrl || row.certificates.length === 0) throw new SignInFault('client-refused', 'no address or certificate')
  const { signing } = findSiteKeys(ctx, row)
  return new SAML({
    ...(signing && { privateKey: exportPrivateKey(signing) }),
    ...(decryptionKey && { decryptionPvk: decryptionKey }),
    issuer: buildEntityId(ctx, row.id),
    audience: buildEntityId(ctx, row.id),
    callbackUrl: buildAssertionUrl(ctx, row.id),
    entryPoint: row.ssoUrl,
    idpCert: row.certificates,
    idpIssuer: row.issuer,
    identifierFormat: null,
    disableRequestedAuthnContext: row.requiredAcr.length === 0,
    authnContext: row.requiredAcr,
    racComparison: 'exact',
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
  openSaml(ctx, row, { requestId: buildRequestId(challenge) }).getAuthorizeUrlAsync(challenge.state, undefined, {})

/** What a provider imports to know this site. */
export function buildMetadata(ctx: SiteCtx, row: ProviderRow): string {
  const { signing, encryption } = findSiteKeys(ctx, row)
  const [, next] = openSigningKeys(ctx, row)
  const toCertificates = (keys: (SigningKey | undefined)[]) => keys.flatMap((key) => toPem(key) ?? [])
  return generateServiceProviderMetadata({
    issuer: buildEntityId(ctx, row.id),
    callbackUrl: buildAssertionUrl(ctx, row.id),
    wantAssertionsSigned: true,
    identifierFormat: null,
    ...(signing && { privateKey: exportPrivateKey(signing), publicCerts: toCertificates([signing, next]) }),
    ...(encryption && { decryptionPvk: exportPrivateKey(encryption), decryptionCert: toPem(encryption) }),
  })
}
