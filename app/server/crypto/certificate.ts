// The library below needs it, and does not import it.
import 'reflect-metadata'
import { type JsonWebKey, randomBytes } from 'node:crypto'
import { X509CertificateGenerator } from '@peculiar/x509'

const ALGORITHM = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
const YEARS = 10
/** Clocks elsewhere may be behind. */
const EARLIER_MS = 86_400_000

/** A certificate of an RSA key, signed by itself. @returns base64 of its DER form */
export async function createCertificate(key: JsonWebKey, { host, from }: { host: string; from: Date }): Promise<string> {
  const { kty, n, e } = key
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey('jwk', key, ALGORITHM, false, ['sign']),
    crypto.subtle.importKey('jwk', { kty, n, e }, ALGORITHM, true, ['verify']),
  ])
  const until = new Date(from)
  until.setUTCFullYear(from.getUTCFullYear() + YEARS)
  const certificate = await X509CertificateGenerator.createSelfSigned({
    // Its first byte is not negative, and never zero.
    serialNumber: `01${randomBytes(15).toString('hex')}`,
    // X.509 bounds a common name.
    name: [{ CN: [host.slice(0, 64)] }],
    notBefore: new Date(from.getTime() - EARLIER_MS),
    notAfter: until,
    keys: { privateKey, publicKey },
    signingAlgorithm: ALGORITHM,
  })
  return certificate.toString('base64')
}
