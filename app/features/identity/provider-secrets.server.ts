import { createPrivateKey, generateKeyPair, type JsonWebKey } from 'node:crypto'
import { promisify } from 'node:util'
import { createId } from '#app/lib/uuid.ts'
import { createCertificate } from '#app/server/crypto/certificate.ts'
import { getSealingKeys, sealSecret, unsealSecret } from '#app/server/crypto/seal.ts'
import type { Ctx } from '#app/server/context.ts'
import type { ProviderRow } from './providers.server.ts'

export const buildSecretPlace = (providerId: string): string => `identity-providers/${providerId}/secret`
export const buildKeysPlace = (providerId: string): string => `identity-providers/${providerId}/keys`

/** A private key as a JWK, with its id and, since SAML, a certificate of its public part. */
export interface SigningKey extends JsonWebKey {
  kid: string
  x5c?: string[]
}

/** True for a provider that the site proves itself to by a key, or that encrypts for one. */
export const needsSigningKeys = ({
  protocol,
  clientAuth,
  assertionEncryption,
  signsRequests,
}: Pick<ProviderRow, 'protocol' | 'clientAuth' | 'assertionEncryption' | 'signsRequests'>): boolean =>
  protocol === 'saml' ? assertionEncryption !== 'none' || signsRequests : clientAuth === 'private-key'

type Sealing = Pick<Ctx, 'runtime'>
type Making = Pick<Ctx, 'runtime' | 'site' | 'now'>

export const sealClientSecret = ({ runtime }: Sealing, providerId: string, secret: string): string =>
  sealSecret(getSealingKeys(runtime), buildSecretPlace(providerId), secret)

export const openClientSecret = (
  { runtime }: Sealing,
  { id, sealedSecret }: Pick<ProviderRow, 'id' | 'sealedSecret'>,
): string | undefined => (sealedSecret === null ? undefined : unsealSecret(getSealingKeys(runtime), buildSecretPlace(id), sealedSecret))

const createKeyPair = promisify(generateKeyPair)

async function createSigningKey({ site, now }: Making): Promise<SigningKey> {
  const { privateKey } = await createKeyPair('rsa', { modulusLength: 2048 })
  const key = { ...privateKey.export({ format: 'jwk' }), kid: createId() }
  return { ...key, x5c: [await createCertificate(key, { host: site.host, from: now() })] }
}

/** The present key and the next, which providers get to know before it is used. */
export const createSigningKeys = async (ctx: Making, providerId: string): Promise<string> =>
  sealSigningKeys(ctx, providerId, [await createSigningKey(ctx), await createSigningKey(ctx)])

/** The next key becomes the present one. */
export async function rotateSigningKeys(ctx: Making, row: ProviderRow): Promise<string> {
  const [, next] = openSigningKeys(ctx, row)
  return next ? sealSigningKeys(ctx, row.id, [next, await createSigningKey(ctx)]) : createSigningKeys(ctx, row.id)
}

const sealSigningKeys = ({ runtime }: Sealing, providerId: string, keys: SigningKey[]): string =>
  sealSecret(getSealingKeys(runtime), buildKeysPlace(providerId), JSON.stringify(keys))

/** The present key first. */
export function openSigningKeys({ runtime }: Sealing, { id, sealedKeys }: ProviderRow): SigningKey[] {
  const text = sealedKeys === null ? undefined : unsealSecret(getSealingKeys(runtime), buildKeysPlace(id), sealedKeys)
  return text === undefined ? [] : (JSON.parse(text) as SigningKey[])
}

/** Both keys without their private part, as a key set for the provider. */
export const listPublicKeys = (ctx: Sealing, row: ProviderRow) => ({
  keys: openSigningKeys(ctx, row).map(({ kty, n, e, kid }) => ({ kty, n, e, kid, alg: 'RS256', use: 'sig' })),
})

export const exportPrivateKey = (key: SigningKey): string =>
  createPrivateKey({ key, format: 'jwk' }).export({ type: 'pkcs8', format: 'pem' }).toString()

export const importSigningKey = (key: SigningKey): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'pkcs8',
    new Uint8Array(createPrivateKey({ key, format: 'jwk' }).export({ type: 'pkcs8', format: 'der' })),
    { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    false,
    ['sign'],
  )
