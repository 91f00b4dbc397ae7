import { constants, createCipheriv, generateKeyPairSync, type KeyObject, publicEncrypt, randomBytes, sign } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const SHA_256 = { signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', digest: 'http://www.w3.org/2001/04/xmlenc#sha256' }
export const SHA_1 = { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1', digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }

export interface SamlKeys {
  privateKey: KeyObject
  certificate: string
}

/** What an answer says; the rest is what an honest provider would say to the request. */
export interface SamlSaying {
  subject?: string
  issuer?: string
  audience?: string
  recipient?: string
  inResponseTo?: string
  /** Seconds from now. */
  notBefore?: number
  issued?: number
  confirmedFrom?: number
  authenticated?: number
  notOnOrAfter?: number
  confirmedUntil?: number
  id?: string
  format?: string
  /** How the person was authenticated. */
  level?: string
  attributes?: Record<string, string | string[]>
}

/** A SAML 2.0 provider, written from the standard. */
export class SamlProvider {
  readonly entityId: string
  readonly keys = createSamlKeys()
  constructor(entityId: string) {
    this.entityId = entityId
  }

  /** What the site asks in the address that it sends people to. */
  readRequest(address: URL): { id: string; acs: string; issuer: string; state: string; levels: string[] } {
    const xml = inflateRawSync(Buffer.from(address.searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
    const read = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? ''
    return {
      id: read(/ID="([^"]+)"/),
      acs: read(/AssertionConsumerServiceURL="([^"]+)"/),
      issuer: read(/<saml:Issuer[^>]*>([^<]+)</),
      state: address.searchParams.get('RelayState') ?? '',
      levels: [...xml.matchAll(/<saml:AuthnContextClassRef[^>]*>([^<]+)</g)].map(([, level = '']) => level),
    }
  }

  /** What the query signs of a request, by the redirect binding of SAML. */
  readAddress({ search }: URL): { signed: string; signature: Buffer | null; algorithm: string | null } {
    const [signed = '', signature] = search.slice(1).split('&Signature=')
    return {
      signed,
      signature: signature === undefined ? null : Buffer.from(decodeURIComponent(signature), 'base64'),
      algorithm: new URLSearchParams(search).get('SigAlg'),
    }
  }

  /** A signed assertion that answers a request. */
  assert(
    request: { id: string; acs: string; issuer: string },
    saying: SamlSaying = {},
    how: { keys?: SamlKeys; algorithms?: typeof SHA_256 } = {},
  ): string {
    return signElement(this.writeAssertion(request, saying), 'Assertion', how.keys ?? this.keys, how.algorithms)
  }

  writeAssertion(request: { id: string; acs: string; issuer: string }, saying: SamlSaying = {}): string {
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
    const attributes = Object.entries(saying.attributes ?? {}).map(
      ([name, values]) =>
        `<saml:Attribute Name="${name}">${[values]
          .flat()
          .map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`)
          .join('')}</saml:Attribute>`,
    )
    return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${saying.id ?? createXmlId()}" Version="2.0" IssueInstant="${at(saying.issued ?? 0)}">
<saml:Issuer>${saying.issuer ?? this.entityId}</saml:Issuer>
<saml:Subject><saml:NameID Format="${saying.format ?? 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'}">${saying.subject ?? 'subject-1'}</saml:NameID>
<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData Recipient="${saying.recipient ?? request.acs}" ${saying.inResponseTo === '' ? '' : `InResponseTo="${saying.inResponseTo ?? request.id}" `}${saying.confirmedFrom === undefined ? '' : `NotBefore="${at(saying.confirmedFrom)}" `}NotOnOrAfter="${at(saying.confirmedUntil ?? 300)}"/></saml:SubjectConfirmation></saml:Subject>
<saml:Conditions NotBefore="${at(saying.notBefore ?? -5)}" NotOnOrAfter="${at(saying.notOnOrAfter ?? 300)}"><saml:AudienceRestriction><saml:Audience>${saying.audience ?? request.issuer}</saml:Audience></saml:AudienceRestriction></saml:Conditions>
<saml:AuthnStatement AuthnInstant="${at(saying.authenticated ?? 0)}" SessionIndex="session-1"><saml:AuthnContext><saml:AuthnContextClassRef>${saying.level ?? 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>
${attributes.length > 0 ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>` : ''}</saml:Assertion>`
  }

  /** The whole answer around what is inside. @param prolog what stands before it, such as a document type */
  respond(inside: string, { prolog = '' } = {}): string {
    return `${prolog}<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${createXmlId()}" Version="2.0" IssueInstant="${new Date().toISOString()}"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${this.entityId}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>${inside}</samlp:Response>`
  }
}

const CIPHERS = {
  'aes-128-gcm': { name: 'http://www.w3.org/2009/xmlenc11#aes128-gcm', key: 16, iv: 12 },
  'aes-256-gcm': { name: 'http://www.w3.org/2009/xmlenc11#aes256-gcm', key: 32, iv: 12 },
  'aes-256-cbc': { name: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc', key: 32, iv: 16 },
  'des-ede3-cbc': { name: 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc', key: 24, iv: 8 },
} as const
const KEY_TRANSPORTS = {
  'rsa-oaep': { name: 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p', padding: constants.RSA_PKCS1_OAEP_PADDING },
  'rsa-1.5': { name: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5', padding: constants.RSA_PKCS1_PADDING },
} as const

/** Encrypts an assertion for the holder of a certificate, by XML Encryption 1.1. @returns what stands in its place */
export function encryptAssertion(
  xml: string,
  certificate: string,
  { cipher = 'aes-256-gcm', transport = 'rsa-oaep' }: { cipher?: keyof typeof CIPHERS; transport?: keyof typeof KEY_TRANSPORTS } = {},
): string {
  const { name, ...lengths } = CIPHERS[cipher]
  const [key, iv] = [randomBytes(lengths.key), randomBytes(lengths.iv)]
  const encipher = createCipheriv(cipher, key, iv)
  const body = Buffer.concat([encipher.update(xml, 'utf8'), encipher.final()])
  const tag = cipher.endsWith('gcm') ? (encipher as import('node:crypto').CipherGCM).getAuthTag() : Buffer.of()
  const value = (bytes: Buffer) => `<xenc:CipherData><xenc:CipherValue>${bytes.toString('base64')}</xenc:CipherValue></xenc:CipherData>`
  const { padding, name: method } = KEY_TRANSPORTS[transport]
  return `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#" Type="http://www.w3.org/2001/04/xmlenc#Element"><xenc:EncryptionMethod Algorithm="${name}"/><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey><xenc:EncryptionMethod Algorithm="${method}"/>${value(publicEncrypt({ key: certificate, padding }, key))}</xenc:EncryptedKey></ds:KeyInfo>${value(Buffer.concat([iv, body, tag]))}</xenc:EncryptedData></saml:EncryptedAssertion>`
}

export const createXmlId = () => `_${randomBytes(16).toString('hex')}`

/** Signs the only element of this name, after its issuer as the standard wants. */
export function signElement(
  xml: string,
  name: 'Assertion' | 'Response',
  { privateKey, certificate }: SamlKeys,
  algorithms = SHA_256,
): string {
  const signer = new SignedXml({
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicCert: certificate,
    signatureAlgorithm: algorithms.signature,
    canonicalizationAlgorithm: EXCLUSIVE,
  })
  const element = `//*[local-name(.)='${name}']`
  signer.addReference({ xpath: element, transforms: [ENVELOPED, EXCLUSIVE], digestAlgorithm: algorithms.digest })
  signer.computeSignature(xml, { location: { reference: `${element}/*[local-name(.)='Issuer']`, action: 'after' } })
  return signer.getSignedXml()
}

// A certificate of X.509, signed by its own key: as much of ASN.1 as it takes.
const encode = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? [body.length] : body.length < 256 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const SHA_256_WITH_RSA = encode(0x30, Buffer.from('06092a864886f70d01010b', 'hex'), Buffer.from('0500', 'hex'))
const NAME = encode(0x30, encode(0x31, encode(0x30, Buffer.from('0603550403', 'hex'), encode(0x0c, Buffer.from('council')))))
const VALIDITY = encode(0x30, encode(0x17, Buffer.from('200101000000Z')), encode(0x17, Buffer.from('491231000000Z')))

export function createSamlKeys(): SamlKeys {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const version = encode(0xa0, encode(0x02, Buffer.from([2])))
  const signed = encode(0x30, version, encode(0x02, Buffer.from([1])), SHA_256_WITH_RSA, NAME, VALIDITY, NAME, spki)
  const signature = encode(0x03, Buffer.from([0]), sign('sha256', signed, privateKey))
  const lines =
    encode(0x30, signed, SHA_256_WITH_RSA, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return { privateKey, certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----` }
}
