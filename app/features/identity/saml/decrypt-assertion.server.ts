import { promisify } from 'node:util'
import { getVerifiedXml, parseDomFromString } from '@node-saml/node-saml/lib/xml.js'
import xmlEncryption from 'xml-encryption'
import type { Ctx } from '#app/server/context.ts'
import { exportPrivateKey, openSigningKeys } from '../provider-secrets.server.ts'
import type { ProviderRow } from '../providers.server.ts'
import { SignInFault } from '../sign-in-fault.server.ts'
import { type InspectedResponse, inspectDecrypted } from './inspect-response.server.ts'

const decrypt = promisify(xmlEncryption.decrypt)

/**
 * Finds which of the site's keys opens an encrypted assertion, and inspects what it holds as strictly as the answer around it. Anybody can
 * encrypt for a site, so encryption proves nothing: the signature inside is checked all the same.
 * @returns the key as PEM, or undefined for an assertion that is not encrypted
 * @throws {SignInFault} `not-encrypted`, `not-decrypted`, `encryption-refused`, `not-understood`
 */
export async function findDecryptionKey(
  ctx: Ctx,
  row: ProviderRow,
  xml: string,
  { assertion, isMalleable }: InspectedResponse,
): Promise<string | undefined> {
  if (assertion === 'plain' && row.assertionEncryption === 'required')
    throw new SignInFault('not-encrypted', 'a plain assertion, where encrypted ones are required')
  if (assertion !== 'encrypted') return undefined
  if (row.assertionEncryption === 'none') throw new SignInFault('not-decrypted', 'the site has no key for this provider')
  // CBC lets an attacker alter the ciphertext and learn the plaintext from our replies, so the provider must have signed the ciphertext.
  if (isMalleable && !(await isSignedAround(row, xml)))
    throw new SignInFault('encryption-refused', 'AES-CBC in an answer that is not signed as a whole')
  for (const key of openSigningKeys(ctx, row).map(exportPrivateKey)) {
    const inside = await decrypt(xml, { key, disallowDecryptionWithInsecureAlgorithm: true }).catch(() => undefined)
    if (!inside) continue
    inspectDecrypted(inside)
    return key
  }
  throw new SignInFault('not-decrypted', 'no key of the site opens it')
}

/** True if the provider signed the whole answer, and so what is encrypted in it. */
async function isSignedAround(row: ProviderRow, xml: string): Promise<boolean> {
  try {
    const { documentElement } = await parseDomFromString(xml)
    return getVerifiedXml(xml, documentElement, row.certificates) !== null
  } catch {
    return false
  }
}
