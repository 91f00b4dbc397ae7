import { SaxesParser } from 'saxes'
import { SignInFault } from '../sign-in-fault.server.ts'

const DIGITAL_SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'

/** Everything else is refused, SHA-1 and signatures by a shared secret among it. */
const ALGORITHMS: ReadonlySet<string> = new Set([
  `${DIGITAL_SIGNATURE}enveloped-signature`,
  'http://www.w3.org/2001/10/xml-exc-c14n#',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2001/04/xmlenc#sha512',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
])

/**
 * Refuses what no provider sends and attacks are made of, before anything else reads the answer: document types and entities, comments and
 * instructions, ids that stand twice, more or less than one assertion, other algorithms.
 * @throws {SignInFault} `not-understood`, `wrong-signature`
 */
export function inspectResponse(xml: string): void {
  const refuse = (what: string) => {
    throw new SignInFault('not-understood', what)
  }
  const ids = new Set<string>()
  let assertions = 0
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', () => refuse('no well-formed XML'))
  parser.on('doctype', () => refuse('a document type'))
  parser.on('comment', () => refuse('a comment'))
  parser.on('processinginstruction', () => refuse('a processing instruction'))
  parser.on('cdata', () => refuse('a CDATA section'))
  parser.on('opentag', ({ local, attributes }) => {
    if (local === 'Assertion' || local === 'EncryptedAssertion') assertions += 1
    for (const { local: name, value } of Object.values(attributes)) {
      if (name === 'Algorithm' && !ALGORITHMS.has(value)) throw new SignInFault('wrong-signature', 'another algorithm')
      if (name.toLowerCase() !== 'id') continue
      if (ids.has(value)) refuse('an id that stands twice')
      ids.add(value)
    }
  })
  parser.write(xml).close()
  if (assertions > 1) throw new SignInFault('wrong-signature', 'more than one assertion')
}
