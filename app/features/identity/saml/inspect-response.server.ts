import { readBoundedXml, type XmlBounds } from '#app/server/bounded-xml.ts'
import { SignInFault } from '../sign-in-fault.server.ts'

const DIGITAL_SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const ENCRYPTION = 'http://www.w3.org/2001/04/xmlenc#'
const ENCRYPTION_1_1 = 'http://www.w3.org/2009/xmlenc11#'

/** Everything else is refused, SHA-1 and signatures by a shared secret among it. */
const SIGNING: ReadonlySet<string> = new Set([
  `${DIGITAL_SIGNATURE}enveloped-signature`,
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  `${ENCRYPTION}sha256`,
  `${ENCRYPTION}sha512`,
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
])

/**
 * The same for encryption, by the element that names it and the one around it: RSA 1.5 and 3DES are refused. SHA-1 is no weakness in OAEP, and
 * what providers use there.
 */
const ENCRYPTING: Readonly<Record<string, readonly string[]>> = {
  'EncryptedKey/EncryptionMethod': [`${ENCRYPTION}rsa-oaep-mgf1p`],
  'EncryptionMethod/DigestMethod': [`${DIGITAL_SIGNATURE}sha1`],
  'EncryptedData/EncryptionMethod': [
    `${ENCRYPTION_1_1}aes128-gcm`,
    `${ENCRYPTION_1_1}aes256-gcm`,
    `${ENCRYPTION}aes128-cbc`,
    `${ENCRYPTION}aes256-cbc`,
  ],
}

/** Several times what providers send: a person in 150 groups, the most that Microsoft Entra names, has 200 elements, 600 attributes and a depth of 8. */
export const SAML_BOUNDS: XmlBounds = { depth: 32, elements: 700, attributes: 1800, attributeLength: 4000, namespaces: 64 }
/** One of the answer and one of its assertion, each of one element in two steps. */
const MOST: Readonly<Record<string, number>> = { Signature: 2, Reference: 2, Transform: 4 }

export interface InspectedResponse {
  /** `none` if the response has no assertion, such as a refusal. */
  assertion: 'plain' | 'encrypted' | 'none'
  /** Encrypted by a cipher that does not notice changes, AES-CBC. */
  isMalleable: boolean
}

/**
 * Refuses what no provider sends and attacks are made of, before anything else reads the answer: more than the bounds, document types and entities, comments and
 * instructions, ids that stand twice, more than one assertion or more than one key for it, other algorithms.
 * @throws {SignInFault} `not-understood`, `wrong-signature`, `encryption-refused`
 */
export function inspectResponse(xml: string): InspectedResponse {
  const ids = new Set<string>()
  const count: Record<string, number> = {}
  const path: string[] = []
  let isMalleable = false
  const inspectAlgorithm = (local: string, algorithm: string) => {
    if (!path.includes('EncryptedAssertion')) {
      if (!SIGNING.has(algorithm)) throw new SignInFault('wrong-signature', 'another algorithm')
      return
    }
    if (!ENCRYPTING[`${path.at(-1)}/${local}`]?.includes(algorithm)) throw new SignInFault('encryption-refused', 'another algorithm')
    isMalleable ||= algorithm.endsWith('-cbc')
  }
  const inspectElement = (local: string, attributes: readonly { local: string; value: string }[]) => {
    count[local] = (count[local] ?? 0) + 1
    for (const { local: name, value } of attributes) {
      if (name === 'Algorithm') inspectAlgorithm(local, value)
      if (name.toLowerCase() !== 'id') continue
      if (ids.has(value)) refuseAnswer('an id that stands twice')
      ids.add(value)
    }
    path.push(local)
  }
  try {
    readBoundedXml(xml, SAML_BOUNDS, {
      comment: () => refuseAnswer('a comment'),
      instruction: () => refuseAnswer('a processing instruction'),
      cdata: () => refuseAnswer('a CDATA section'),
      open: ({ local, attributes }) => inspectElement(local, attributes),
      close: () => void path.pop(),
    })
  } catch (error) {
    throw error instanceof SignInFault ? error : new SignInFault('not-understood', String(error), { cause: error })
  }
  if (Object.entries(MOST).some(([local, most]) => (count[local] ?? 0) > most)) refuseAnswer('more signatures than an answer has')
  const { Assertion: plain = 0, EncryptedAssertion: encrypted = 0, EncryptedData = 0, EncryptedKey = 0 } = count
  if (plain + encrypted > 1) throw new SignInFault('wrong-signature', 'more than one assertion')
  if (EncryptedData > encrypted || EncryptedKey > encrypted) refuseAnswer('more encrypted than one assertion')
  return { assertion: plain ? 'plain' : encrypted ? 'encrypted' : 'none', isMalleable }
}

/**
 * The same for what was decrypted: one plain assertion and nothing around it.
 * @throws {SignInFault} `not-understood`, `wrong-signature`
 */
export function inspectDecrypted(xml: string): void {
  if (inspectResponse(xml).assertion !== 'plain' || !/^\s*<([\w-]+:)?Assertion[\s>]/.test(xml)) refuseAnswer('no assertion was encrypted')
}

function refuseAnswer(what: string): never {
  throw new SignInFault('not-understood', what)
}
